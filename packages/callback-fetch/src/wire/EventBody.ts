import type { ChargeId, Cnpj, EventKind, EventPayment, PixEvent, Txid } from "@pixcharge/core"
import { centsFromReais, reaisFromCents } from "@pixcharge/core/money"
import * as Result from "effect/Result"

/** The JSON body of a callback (decision 23). `pagamento` is absent only in a test event. */
export interface EventBody {
  readonly id: string
  readonly tipo: "pix.pago" | "pix.estornado" | "pix.teste"
  /** When the fact happened: ISO 8601 in UTC. */
  readonly timestamp: string
  readonly dados: {
    readonly empresa: { readonly cnpj: string; readonly nome: string }
    readonly pagamento?: {
      readonly idFaturaPag: string
      readonly txid: string
      readonly endToEndId: string
      /** In reais. */
      readonly valor: number
    }
  }
}

const typeOf: Record<EventKind, EventBody["tipo"]> = {
  paid: "pix.pago",
  refunded: "pix.estornado",
  test: "pix.teste",
}

const kindOf = new Map(Object.entries(typeOf).map(([kind, tipo]) => [tipo as string, kind as EventKind]))

/** The same event is the same text, byte for byte, however often it is sent. */
export const encodeEventBody = ({ id, kind, occurredAt, issuer, companyName, payment }: PixEvent): string => {
  const body: EventBody = {
    id,
    tipo: typeOf[kind],
    timestamp: new Date(occurredAt).toISOString(),
    dados: {
      empresa: { cnpj: issuer, nome: companyName },
      ...(payment && {
        pagamento: {
          idFaturaPag: payment.chargeId,
          txid: payment.txid,
          endToEndId: payment.endToEndId,
          valor: reaisFromCents(payment.amountCents),
        },
      }),
    },
  }
  return JSON.stringify(body)
}

/** The event behind a body; undefined for any text that is none. Unknown fields are ignored: the body may grow. */
export const decodeEventBody = (text: string): PixEvent | undefined => {
  const body = recordOf(parse(text))
  const data = recordOf(body?.["dados"])
  const company = recordOf(data?.["empresa"])
  const kind = kindOf.get(textOf(body?.["tipo"]) ?? "")
  const id = textOf(body?.["id"])
  const occurredAt = Date.parse(textOf(body?.["timestamp"]) ?? "")
  const cnpj = textOf(company?.["cnpj"])
  const companyName = textOf(company?.["nome"])
  const payment = paymentOf(recordOf(data?.["pagamento"]))
  if (kind === undefined || id === undefined || cnpj === undefined || companyName === undefined) return undefined
  if (Number.isNaN(occurredAt) || (payment === undefined && kind !== "test")) return undefined
  return { id, kind, issuer: cnpj as Cnpj, companyName, occurredAt, ...(payment && { payment }) }
}

const paymentOf = (row: Record<string, unknown> | undefined): EventPayment | undefined => {
  const chargeId = textOf(row?.["idFaturaPag"])
  const txid = textOf(row?.["txid"])
  const endToEndId = textOf(row?.["endToEndId"])
  const reais = row?.["valor"]
  const cents = typeof reais === "number" ? centsFromReais(reais) : undefined
  if (chargeId === undefined || txid === undefined || endToEndId === undefined) return undefined
  if (cents === undefined || Result.isFailure(cents)) return undefined
  return { chargeId: chargeId as ChargeId, txid: txid as Txid, endToEndId, amountCents: cents.success }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

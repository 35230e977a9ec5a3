import type { ChargeId, EventKind, EventPayment, EventRefund, PixEvent, Txid } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { centsFromReais, reaisFromCents } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import { hasShape, parseJson, type Shaped } from "./JsonShape.ts"
import { decodeRecurrence, encodeRecurrence, recurrenceTypes } from "./RecurrenceBody.ts"

/** The JSON body of a callback (decision 23). */
const eventShape = {
  id: "string",
  tipo: "string",
  /** When the fact happened: ISO 8601 in UTC. */
  timestamp: "string",
  dados: {
    empresa: { cnpj: "string", nome: "string" },
    /** Absent in a test event, and for the failed refund of a payment that settled no charge. */
    pagamento: "unknown",
  },
} as const

/** `dados.pagamento`; `valor` is in reais. */
const paymentShape = { idFaturaPag: "string", txid: "string", endToEndId: "string", valor: "number" } as const

type PaymentBody = Shaped<typeof paymentShape>

const eventTypes: Readonly<Record<EventKind, string>> = {
  paid: "pix.pago",
  refunded: "pix.estornado",
  "refund-failed": "pix.estorno.falhou",
  test: "pix.teste",
  ...recurrenceTypes,
}

const eventKinds = new Map(Object.entries(eventTypes).map(([kind, tipo]) => [tipo, kind as EventKind]))

const encodePayment = ({ chargeId, txid, endToEndId, amountCents }: EventPayment): PaymentBody => ({
  idFaturaPag: chargeId,
  txid,
  endToEndId,
  valor: reaisFromCents(amountCents),
})

/** `dados.estorno`; `chave` is a part's key. */
const refundShape = { id: "string", endToEndId: "string", valor: "number", motivo: "string" } as const

const encodeRefund = ({ id, endToEndId, amountCents, key, reason }: EventRefund): Shaped<typeof refundShape> => ({
  id,
  endToEndId,
  valor: reaisFromCents(amountCents),
  motivo: reason,
  ...(key !== undefined && { chave: key }),
})

const decodeRefund = (body: unknown): EventRefund | undefined => {
  if (!hasShape(body, refundShape)) return undefined
  const { id, endToEndId, valor, motivo: reason } = body
  const key = (body as Readonly<Record<string, unknown>>)["chave"]
  const cents = centsFromReais(valor)
  if (Result.isFailure(cents)) return undefined
  return { id, endToEndId, amountCents: cents.success, reason, ...(typeof key === "string" && { key }) }
}

/** The text of an event's body. The same event is the same text, byte for byte, however often it is sent. */
export const encodeEventBody = (event: PixEvent): string => {
  const { id, kind, occurredAt, issuer, companyName, payment } = event
  const empresa = { cnpj: issuer, nome: companyName }
  const tipo = eventTypes[kind]
  const timestamp = new Date(occurredAt).toISOString()
  if ("recurrence" in event) {
    return JSON.stringify({ id, tipo, timestamp, dados: { empresa, ...encodeRecurrence(event) } })
  }
  const body: Shaped<typeof eventShape> = {
    id,
    tipo,
    timestamp,
    dados: {
      empresa,
      pagamento: payment && encodePayment(payment),
      ...(event.kind === "refund-failed" && { estorno: encodeRefund(event.refund) }),
    },
  }
  return JSON.stringify(body)
}

/** The event of a body; undefined for any text that holds none. Unknown fields are ignored: the body may grow. */
export const decodeEventBody = (text: string): PixEvent | undefined => {
  const body = parseJson(text)
  if (!hasShape(body, eventShape)) return undefined
  const { id, tipo, timestamp, dados } = body
  const kind = eventKinds.get(tipo)
  const occurredAt = Date.parse(timestamp)
  if (kind === undefined || Number.isNaN(occurredAt)) return undefined
  const { cnpj, nome } = dados.empresa
  const facts = { id, issuer: cnpj as Cnpj, companyName: nome, occurredAt }
  if (kind === "test") return { ...facts, kind }
  if (kind === "paid" || kind === "refunded") {
    const payment = decodePayment(dados.pagamento)
    return payment && { ...facts, kind, payment }
  }
  if (kind === "refund-failed") {
    const refund = decodeRefund((dados as Readonly<Record<string, unknown>>)["estorno"])
    const payment = decodePayment(dados.pagamento)
    return refund && { ...facts, kind, refund, ...(payment && { payment }) }
  }
  const said = decodeRecurrence(kind, dados)
  return said && ({ ...facts, ...said } as PixEvent)
}

const decodePayment = (body: unknown): EventPayment | undefined => {
  if (!hasShape(body, paymentShape)) return undefined
  const { idFaturaPag, txid, endToEndId, valor } = body
  const cents = centsFromReais(valor)
  if (Result.isFailure(cents)) return undefined
  return { chargeId: idFaturaPag as ChargeId, txid: txid as Txid, endToEndId, amountCents: cents.success }
}

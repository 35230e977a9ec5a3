import type { ChargeId, EventKind, EventPayment, PixEvent, Txid } from "@pixcharge/core/charges"
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
    /** Absent only in a test event. */
    pagamento: "unknown",
  },
} as const

/** `dados.pagamento`; `valor` is in reais. */
const paymentShape = { idFaturaPag: "string", txid: "string", endToEndId: "string", valor: "number" } as const

type PaymentBody = Shaped<typeof paymentShape>

const eventTypes: Readonly<Record<EventKind, string>> = {
  paid: "pix.pago",
  refunded: "pix.estornado",
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
    dados: { empresa, pagamento: payment && encodePayment(payment) },
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

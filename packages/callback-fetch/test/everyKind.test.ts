import { verifyEvent } from "@pixcharge/callback-fetch/receiver"
import type { ChargeId, EventFacts, EventKind, EventPayment, PixEvent, Txid } from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { RecurrenceId } from "@pixcharge/core/recurrence"
import { expect, it } from "vitest"
import { encodeEventBody } from "../src/wire/EventBody.ts"
import { secret, signedHeaders } from "./receiver/requests.ts"

/** All fields that a kind can have in a body. */
type Whole<Facts> = {
  readonly [Name in keyof Facts]-?: Exclude<Facts[Name], undefined> extends EventPayment
    ? Required<Omit<EventPayment, "cycle">>
    : Exclude<Facts[Name], undefined> extends object
      ? Whole<Exclude<Facts[Name], undefined>>
      : Exclude<Facts[Name], undefined>
}

const day = "2027-03-22" as LocalDate
const cents = 4_990 as Cents
const chargeId = "93768cbb-479d-4da3-8899-231fd09dc551" as ChargeId
const txid = "8qaavrlv2t73" as Txid
const recurrenceId = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as RecurrenceId

const ofShop = { reference: "pedido 7", metadata: { loja: "Recife", "2": "b" } }
const daLoja = { suaReferencia: "pedido 7", metadados: ofShop.metadata }
const payment = { chargeId, txid, endToEndId: "E1", amountCents: cents, ...ofShop }
const pagamento = { idFaturaPag: chargeId, txid, endToEndId: "E1", valor: 49.9, ...daLoja }
const recurrence = { recurrenceId, contract: "contrato-1" }
const recorrencia = { id: recurrenceId, contrato: "contrato-1" }
const charge = { chargeId, txid, amountCents: cents, ...ofShop }
const cobranca = { idFaturaPag: chargeId, txid, valor: 49.9, ...daLoja }

const exception = { endToEndId: "E1", amountCents: cents, chargeId, txid, reason: "furtherPayment" } as const
const pagamentoSemCobranca = { endToEndId: "E1", valor: 49.9, idFaturaPag: chargeId, txid, motivo: "furtherPayment" }

/** The facts of each kind, its `dados`, and the times that a receiver gets in ISO 8601. */
const kinds: {
  readonly [Kind in EventKind]: readonly [facts: Whole<EventFacts[Kind]>, dados: object, isos?: object]
} = {
  paid: [
    { payment, late: true, otherAmount: false },
    { pagamento, foraDoPrazo: true, valorDiferente: false },
  ],
  refunded: [
    { payment, returnKind: "dispute" },
    { pagamento, origem: "dispute" },
  ],
  "part-refunded": [
    { payment, part: { id: "R1", amountCents: cents, key: "item 3" }, returnKind: "refund" },
    { pagamento, estornoParcial: { id: "R1", valor: 49.9, chave: "item 3" }, origem: "refund" },
  ],
  expired: [
    { charge, payableUntil: Date.UTC(2027, 2, 20) },
    { cobranca, pagavelAte: "2027-03-20T00:00:00.000Z" },
    { payableUntilIso: "2027-03-20T00:00:00.000Z" },
  ],
  cancelled: [
    { charge, by: "terms" },
    { cobranca, por: "terms" },
  ],
  exception: [{ exception }, { pagamentoSemCobranca }],
  "exception-returned": [
    { exception, returnKind: "outside" },
    { pagamentoSemCobranca, origem: "outside" },
  ],
  "refund-failed": [
    { payment, refund: { id: "R1", endToEndId: "E1", amountCents: cents, key: "item 3", reason: "conta encerrada" } },
    { pagamento, estorno: { id: "R1", endToEndId: "E1", valor: 49.9, motivo: "conta encerrada", chave: "item 3" } },
  ],
  "recurrence-approved": [
    { recurrence, firstDueDate: day },
    { recorrencia, primeiroVencimento: day },
  ],
  "recurrence-ended": [
    { recurrence, end: { reason: "ended", by: "payer", code: "SLCR" } },
    { recorrencia, encerramento: { motivo: "ended", por: "payer", codigo: "SLCR" } },
  ],
  "cycle-due": [
    { recurrence, cycle: 2, dueDate: day, chargeableUntil: Date.UTC(2027, 2, 20) },
    { recorrencia, ciclo: 2, vencimento: day, cobrarAte: "2027-03-20T00:00:00.000Z" },
    { chargeableUntilIso: "2027-03-20T00:00:00.000Z" },
  ],
  "payment-scheduled": [
    { recurrence, cycle: 2, charge, on: day },
    { recorrencia, ciclo: 2, cobranca, em: day },
  ],
  "payment-failed": [
    {
      recurrence,
      cycle: 2,
      charge,
      on: day,
      reason: "unpaid",
      code: "AM04",
      by: "payerBank",
      mayRetryUntil: Date.UTC(2027, 2, 26),
      nextAttemptOn: day,
    },
    {
      recorrencia,
      ciclo: 2,
      cobranca,
      em: day,
      motivo: "unpaid",
      codigo: "AM04",
      por: "payerBank",
      novaTentativaAte: "2027-03-26T00:00:00.000Z",
      proximaTentativaEm: day,
    },
    { mayRetryUntilIso: "2027-03-26T00:00:00.000Z" },
  ],
  test: [{}, {}],
}

const each = Object.entries(kinds).map(
  ([kind, [facts, dados, isos]]) => [kind as EventKind, facts, dados, isos] as const,
)

const empresa = { cnpj: "12345678000195", nome: "Minha Loja" }

const makeEvent = (kind: EventKind, facts: object) => {
  const common = { issuer: "12345678000195" as Cnpj, companyName: "Minha Loja", occurredAt: Date.UTC(2027, 2, 22, 12) }
  return { id: `evt_1_${kind}`, kind, ...common, ...facts } as PixEvent
}

const receive = (event: PixEvent, body: string) => {
  const headers = signedHeaders(body, { id: event.id })
  return verifyEvent({ header: (name) => headers[name], body }, [secret])
}

it.each(each)("sends and receives an event %s with all its fields", (kind, facts, dados, isos) => {
  const event = makeEvent(kind, facts)
  const body = encodeEventBody(event, ["paid", kind, "expired"])
  const sent = JSON.stringify({ timestamp: "2027-03-22T12:00:00.000Z", dados: { empresa, ...dados } }).slice(1)
  expect(body.slice(body.indexOf('"timestamp"'))).toBe(sent)
  expect(receive(event, body)).toEqual({ ...event, occurredAtIso: "2027-03-22T12:00:00.000Z", ...isos })
})

it.each([[["paid"]], [[]]] as const)(
  "sends `pix.pago` without further fields to an endpoint of the kinds %j",
  (chosen) => {
    const [facts] = kinds.paid
    const event = makeEvent("paid", facts)
    const body = encodeEventBody(event, chosen)
    const first = '{"id":"evt_1_paid","tipo":"pix.pago","timestamp":"2027-03-22T12:00:00.000Z","dados":{"empresa":'
    const owner = '{"cnpj":"12345678000195","nome":"Minha Loja"},"pagamento":{"idFaturaPag":'
    const paid = '"93768cbb-479d-4da3-8899-231fd09dc551","txid":"8qaavrlv2t73","endToEndId":"E1","valor":49.9}}}'
    expect(body).toBe(first + owner + paid)
    const usual = { payment: { chargeId, txid, endToEndId: "E1", amountCents: cents } }
    expect(receive(event, body)).toEqual({ ...makeEvent("paid", usual), occurredAtIso: "2027-03-22T12:00:00.000Z" })
  },
)

it("ignores metadata that isn't texts by name", () => {
  const event = makeEvent("paid", kinds.paid[0])
  const body = encodeEventBody(event, ["paid", "refunded"])
  for (const metadados of ['["a"]', '{"a":1}', "null", '"a"']) {
    const received = receive(event, body.replace(JSON.stringify(ofShop.metadata), metadados))
    expect(received).toMatchObject({ payment: { reference: "pedido 7" } })
    expect(received).not.toHaveProperty("payment.metadata")
  }
})

it("sends the further fields of `pix.pago` to an endpoint that names more kinds than `paid`", () => {
  const body = encodeEventBody(makeEvent("paid", kinds.paid[0]), ["paid", "refunded"])
  expect(JSON.parse(body)).toMatchObject({ dados: { foraDoPrazo: true, valorDiferente: false } })
})

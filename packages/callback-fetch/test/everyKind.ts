import type { ChargeId, EventFacts, EventKind, EventPayment, PixEvent, Txid } from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { RecurrenceId } from "@pixcharge/core/recurrence"

/** All fields that a kind can have in a body. */
type Whole<Facts> = {
  readonly [Name in keyof Facts]-?: Exclude<Facts[Name], undefined> extends EventPayment
    ? Required<Omit<EventPayment, "cycle">>
    : Exclude<Facts[Name], undefined> extends object
      ? Whole<Exclude<Facts[Name], undefined>>
      : Exclude<Facts[Name], undefined>
}

const day = "2027-03-22" as LocalDate
export const cents = 4_990 as Cents
export const chargeId = "93768cbb-479d-4da3-8899-231fd09dc551" as ChargeId
export const txid = "8qaavrlv2t73" as Txid
const recurrenceId = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as RecurrenceId

export const ofShop = { reference: "pedido 7", metadata: { loja: "Recife", "2": "b" } }
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
export const kinds: {
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

export const makeEvent = (kind: EventKind, facts: object) => {
  const common = { issuer: "12345678000195" as Cnpj, companyName: "Minha Loja", occurredAt: Date.UTC(2027, 2, 22, 12) }
  return { id: `evt_1_${kind}`, kind, ...common, ...facts } as PixEvent
}

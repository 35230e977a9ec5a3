import {
  type CancelledCharge,
  type Charge,
  type ChargePayer,
  type ChargeTerms,
  chargeTxid,
  type FailedRefund,
  type PaidCharge,
  type PartialRefund,
  type Payment,
  type PendingCharge,
  type Refund,
  type RefundedCharge,
  type RefundingCharge,
  type RequestedTerms,
  type Return,
  type TermsRow,
} from "@pixcharge/core/charges"
import { parseFees } from "@pixcharge/core/money"
import type { Payer } from "@pixcharge/core/party"
import type { ApprovedRecurrence, ChargeCycle, Debit } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { aChargeId, cents, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, cpf } from "../../fixtures/Companies.ts"
import { anEndToEndId } from "../../fixtures/Payments.ts"

/** All fields of a value, even optional ones: a new field that is missing here doesn't compile. */
export type Whole<Value> = { readonly [Name in keyof Value]-?: Exclude<Value[Name], undefined> }

/** A value before its payer is erased. */
type Known<Value> = Omit<Value, "payerErasedAt">

export const wholePayer: Whole<Payer> = { name: 'Ana "Nina" Souza \\ 🦜', taxId: cpf("11144477735") }

const wholeChargePayer: Whole<ChargePayer> = {
  ...wholePayer,
  email: "ana.souza+escola@example.com.br",
  address: { street: 'Rua d\'Água "7", 12 \\ Centro', city: "São Luís", state: "MA", postalCode: "65010000" },
}

const wholeRequested: Whole<RequestedTerms> = {
  fees: {
    fine: "none",
    interest: { kind: "fixedPerDay", days: "business", amountCents: 3 },
    discount: { kind: "percentUntil", tiers: [{ date: "2026-06-03", basisPoints: 100 }] },
  },
  graceDays: 17,
}

/** The terms that an erasure removes. The functions below set all other fields. */
const personalTerms = {
  payer: wholeChargePayer,
  messageToPayer: "Olá, Ana",
  additionalInfo: [{ name: "Aluna", value: "Nina" }],
  reference: 'Pedido "nº 7" \\ 🦜',
  metadata: { turma: "5º B", 'a "b" \\ 🦜': "linha 1\nlinha 2" },
}
const personalInRefund = { reason: "Ana desistiu" }

/** The fields that an erasure removes anywhere in a charge. */
const personalNames = new Set(Object.keys({ ...personalTerms, ...personalInRefund }))

/** The charge after its payer was erased. */
export const erasedCharge = <Erased extends Charge>(charge: Erased, at: number): Erased => ({
  ...(JSON.parse(
    JSON.stringify(charge, (name, value: unknown) => (personalNames.has(name) ? undefined : value)),
  ) as Erased),
  payerErasedAt: at,
})

const fees = Result.getOrThrow(
  parseFees({
    fine: { kind: "percent", basisPoints: 200 },
    interest: { kind: "fixedPerDay", days: "business", amountCents: 3 },
    abatement: { kind: "fixed", amountCents: 5 },
    discount: { kind: "percentUntil", tiers: [{ daysBefore: 2, basisPoints: 100 }] },
  }),
)

type WholePending = Whole<Known<Omit<PendingCharge, "partialRefunds" | "termsRows">>>

/** A new charge with every field set, each to a different value. */
export const wholeCharge = (): Omit<WholePending, "cycle" | "debit"> => {
  const id = aChargeId()
  const terms: Whole<Known<Omit<ChargeTerms, "cycle">>> = {
    issuer: aCnpj,
    id,
    txid: chargeTxid(aCnpj, id),
    transactionId: crypto.randomUUID(),
    amountCents: cents(1_991),
    dueDate: day("2026-06-05"),
    requested: wholeRequested,
    fees,
    closedDays: { from: day("2026-06-04"), until: day("2026-06-30"), closed: [day("2026-06-08")] },
    brCode: "00020126580014br.gov.bcb.pix2536pix.example.invalid/whole5204000053039865802BR6304ABCD",
    createdAt: fixtureNow,
    payableUntil: fixtureNow + 600_001,
    watchUntil: fixtureNow + 86_400_002,
    ...personalTerms,
  }
  const state = { version: 1, updatedAt: fixtureNow + 3, checkAt: fixtureNow + 4_000, lookUpAt: fixtureNow + 5_000 }
  return { _tag: "Pending", ...terms, ...state, expiryEventAt: fixtureNow + 6_001, returns: [] }
}

const wholeDebit: Whole<Debit> = {
  status: "registered",
  attempts: [{ kind: "first", on: day("2026-06-10"), endToEndId: anEndToEndId(), status: "rejected", code: "AM04" }],
  retries: [day("2026-06-11")],
  failure: { on: day("2026-06-10"), code: "AM04" },
  nextAttemptOn: day("2026-06-12"),
}

/** A new charge of a cycle, with every field set. */
export const wholeCycleCharge = ({ id, contract, bankId }: ApprovedRecurrence): WholePending => {
  const cycle: Whole<ChargeCycle> = {
    recurrenceId: id,
    contract,
    cycle: 3,
    generation: 2,
    bankId,
    settlesOn: day("2026-06-10"),
    retryDays: ["2026-06-11", "2026-06-12"].map(day),
    plannedRetryDays: [day("2026-06-12")],
  }
  return { ...wholeCharge(), cycle, debit: wholeDebit }
}

/** A payment with every field set. */
export const wholePayment = ({ issuer, id, txid }: Pick<ChargeTerms, "issuer" | "id" | "txid">): Whole<Payment> => ({
  issuer,
  endToEndId: anEndToEndId(),
  txid,
  chargeId: id,
  amountCents: cents(2_003),
  paidAt: fixtureNow + 10_001,
  recordedAt: fixtureNow + 11_002,
  late: true,
  otherAmount: true,
})

/** A return of a part of a payment, with every field set. */
export const wholeReturn = ({ issuer, endToEndId }: Payment): Whole<Return> => ({
  issuer,
  id: `D${endToEndId.slice(1)}`,
  endToEndId,
  kind: "dispute",
  amountCents: cents(7),
  returnedAt: fixtureNow + 20_003,
})

/** A refund under way, with every field set. */
export const wholeRefund = (id: string): Whole<Refund> => ({
  id,
  attempt: 2,
  requestedAt: fixtureNow + 30_001,
  unanswered: [fixtureNow + 30_001, fixtureNow + 31_002],
  ...personalInRefund,
})

export const wholeFailedRefund = (id: string): Whole<FailedRefund> => ({ ...wholeRefund(id), rejection: "sem saldo" })

const wholePart = (): Whole<PartialRefund> => ({
  key: "item 3",
  amountCents: cents(11),
  requestedAt: fixtureNow + 29_001,
  refund: wholeRefund("parte"),
  rejection: "conta encerrada",
})

/** A row with every field set, which no life of a charge has. */
const wholeRow = (): Whole<TermsRow> => ({
  number: 2,
  key: "mudança 2",
  by: "portal",
  requestedAt: fixtureNow + 7_001,
  inForceAt: fixtureNow + 8_002,
  refusedAt: fixtureNow + 9_003,
  rejection: 'valor "inválido" \\ 🦜',
  revision: 4,
  amountCents: cents(2_111),
  dueDate: day("2026-06-09"),
  requested: wholeRequested,
  fees,
  closedDays: { from: day("2026-06-05"), until: day("2026-06-29"), closed: [day("2026-06-15")] },
  brCode: "00020126580014br.gov.bcb.pix2536pix.example.invalid/other5204000053039865802BR6304ABCD",
  payableUntil: fixtureNow + 700_001,
  watchUntil: fixtureNow + 86_500_002,
  ...personalTerms,
})

/** The charge's next version, settled, with a failed refund, a failed partial refund, and a row of terms. */
export const wholePaid = ({ lookUpAt: _, ...charge }: WholePending): Whole<Known<PaidCharge>> => {
  const payment = wholePayment(charge)
  return {
    ...charge,
    _tag: "Paid",
    version: charge.version + 1,
    updatedAt: fixtureNow + 40_001,
    payment,
    returns: [wholeReturn(payment)],
    failedRefund: wholeFailedRefund("inteira"),
    partialRefunds: [wholePart()],
    termsRows: [wholeRow()],
  }
}

/** The charge's next version, with its refund under way. */
export const wholeRefunding = ({
  failedRefund: { rejection: _, ...refund },
  ...charge
}: Whole<Known<PaidCharge>>): Whole<Known<RefundingCharge>> => ({
  ...charge,
  _tag: "Refunding",
  version: charge.version + 1,
  refund: refund as Whole<Refund>,
})

/** The charge's next version, refunded. */
export const wholeRefunded = (charge: Whole<Known<RefundingCharge>>): Whole<Known<RefundedCharge>> => ({
  ...charge,
  _tag: "Refunded",
  version: charge.version + 1,
  refundedAt: fixtureNow + 50_001,
})

/** The charge's next version, cancelled. */
export const wholeCancelled = ({
  lookUpAt: _,
  ...charge
}: WholePending): Whole<Known<Omit<CancelledCharge, "partialRefunds" | "termsRows">>> => ({
  ...charge,
  _tag: "Cancelled",
  version: charge.version + 1,
  cancelledAt: fixtureNow + 60_001,
  cancelledBy: "terms",
})

import {
  type Charge,
  type ChargeRequestInput,
  parseChargeId,
  type Payment,
  type PendingCharge,
} from "@pixcharge/core/charge"
import { type Fees, parseFees } from "@pixcharge/core/money"
import { type Payer } from "@pixcharge/core/party"
import { addDays, type LocalDate } from "@pixcharge/core/calendar"
import { type Cents, maximumChargeCents, minimumChargeCents } from "@pixcharge/core/money"
import type { TaxId } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import fc from "fast-check"
import {
  aCancelledCharge,
  aFailedRefund,
  aPaidCharge,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  fixtureNow,
} from "../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../fixtures/Companies.ts"
import { aPayment } from "../fixtures/Payments.ts"

const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

/** An amount that a charge may have, the extremes often. */
export const amountCents: fc.Arbitrary<Cents> = fc
  .oneof(
    fc.constantFrom(minimumChargeCents, maximumChargeCents),
    fc.integer({ min: minimumChargeCents, max: 1_000_000 }),
    fc.integer({ min: minimumChargeCents, max: maximumChargeCents }),
  )
  .map((cents) => cents as Cents)

const unsafeInName = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A payer's name: any letters that a request may hold, with quotes, backslashes and emoji among them. */
export const payerName: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom('João d\'Água "Zé"', "C:\\temp\\'; --", "Ana 🦜 Souza", "名前", "{}", "$1", "%s", "\\x00", "null"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  )
  .map((name) => name.trim())
  .filter((name) => name !== "" && !unsafeInName.test(name) && [...name].length <= 200)

/** A valid CPF or CNPJ. */
export const taxId: fc.Arbitrary<TaxId> = fc.constantFrom<TaxId>(
  aCnpj,
  anotherCnpj,
  alphanumericCnpj,
  cpf("52998224725"),
  cpf("11144477735"),
)

export const payer: fc.Arbitrary<Payer> = fc.record({ name: payerName, taxId })

/** Any UUID, in lower case. */
export const chargeId = fc.uuid().map((id) => Result.getOrThrow(parseChargeId(id)))

/** A day within the two years after the fixtures' own. */
export const dueDate: fc.Arbitrary<LocalDate> = fc
  .integer({ min: 0, max: 730 })
  .map((days) => addDays("2026-06-03" as LocalDate, days))

/** Sound fees of a registration. */
export const fees: fc.Arbitrary<Fees> = fc
  .record(
    {
      fine: fc.oneof(
        fc.record({ kind: fc.constant("fixed" as const), amountCents: fc.integer({ min: 1, max: 999 }) }),
        fc.record({ kind: fc.constant("percent" as const), basisPoints: fc.integer({ min: 1, max: 200 }) }),
      ),
      interest: fc.record({
        kind: fc.constantFrom("percentPerDay" as const, "percentPerMonth" as const, "percentPerYear" as const),
        days: fc.constantFrom("calendar" as const, "business" as const),
        basisPoints: fc.integer({ min: 1, max: 1000 }),
      }),
      abatement: fc.record({ kind: fc.constant("percent" as const), basisPoints: fc.integer({ min: 1, max: 900 }) }),
      discount: fc.record({
        kind: fc.constant("percentUntil" as const),
        tiers: fc.constant([
          { daysBefore: 10, basisPoints: 500 },
          { daysBefore: 5, basisPoints: 250 },
        ]),
      }),
    },
    { requiredKeys: [] },
  )
  .map((input) => Result.getOrThrow(parseFees(input)))

/** A charge just issued, with any of its optional fields. */
export const pendingCharge: fc.Arbitrary<PendingCharge> = fc
  .record({
    id: chargeId,
    issuer: fc.constantFrom(aCnpj, anotherCnpj, alphanumericCnpj),
    amountCents,
    createdAt: fc.integer({ min: fixtureNow, max: fixtureNow + 1e9 }),
    dueDate: optional(dueDate),
    payer: optional(payer),
    fees: optional(fees),
    checkAt: optional(fc.integer({ min: fixtureNow, max: fixtureNow + 2e9 })),
  })
  .map(({ id, issuer, amountCents: amount, createdAt, ...rest }) =>
    aPendingCharge({
      id,
      issuer,
      amountCents: amount,
      createdAt,
      ...(rest.dueDate && { dueDate: rest.dueDate }),
      ...(rest.payer && { payer: rest.payer }),
      ...(rest.fees && { fees: rest.fees }),
      ...(rest.checkAt !== undefined && { checkAt: rest.checkAt }),
    }),
  )

/** A payment of the charge: of its amount or another, early or late. */
export const paymentOf = (charge: PendingCharge): fc.Arbitrary<Payment> =>
  fc
    .record({ amount: optional(amountCents), late: fc.boolean(), delay: fc.integer({ min: 0, max: 1e6 }) })
    .map(({ amount, late, delay }) =>
      aPayment(charge, {
        amountCents: amount ?? charge.amountCents,
        otherAmount: amount !== undefined && amount !== charge.amountCents,
        late,
        paidAt: charge.createdAt + delay,
        recordedAt: charge.createdAt + delay + 1,
      }),
    )

/** A charge of any state, each reached from the one before it as charges do; the last is where it stands. */
export const chargeLife: fc.Arbitrary<readonly [PendingCharge, ...ReadonlyArray<Charge>]> = pendingCharge.chain(
  (charge) => {
    const payment = paymentOf(charge)
    const life = (...later: ReadonlyArray<Charge>): readonly [PendingCharge, ...ReadonlyArray<Charge>] => [
      charge,
      ...later,
    ]
    return fc.oneof(
      fc.constant(life()),
      fc.constant(life(aCancelledCharge(charge))),
      payment.map((settling) => life(aPaidCharge(charge, settling))),
      payment.map((settling) => {
        const first = aPaidCharge(charge, settling)
        return life(first, aRefundingCharge(first))
      }),
      payment.map((settling) => {
        const first = aPaidCharge(charge, settling)
        const back = aRefundingCharge(first)
        return life(first, back, aRefundedCharge(back))
      }),
      fc.tuple(payment, payerName).map(([settling, reason]) => {
        const first = aPaidCharge(charge, settling)
        const back = aRefundingCharge(first)
        return life(first, back, aFailedRefund(back, reason))
      }),
    )
  },
)

/** A charge of any state. */
export const charge: fc.Arbitrary<Charge> = chargeLife.map((life) => life.at(-1) ?? life[0])

/** A request whose shape is right, as a host writes it. */
export const chargeRequest: fc.Arbitrary<ChargeRequestInput> = fc.record(
  {
    id: fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    ),
    amountCents,
    dueDate: dueDate.chain((day) => fc.constantFrom<string>(day, `${day}T23:59:59`)),
    payer: fc.record({ name: payerName, taxId }),
  },
  { requiredKeys: ["id", "amountCents"] },
)

import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { maximumChargeCents } from "./Money.ts"

declare const brand: unique symbol

/** All days (`dias corridos`) or only business days (`dias úteis`). */
export type DayCount = "calendar" | "business"

/** An amount, or a percentage in basis points: 200 is 2.00 % (API Pix: `valorPerc`, in the form `\d{1,10}\.\d{2}`). */
export type FixedOrPercent =
  | { readonly kind: "fixed"; readonly amountCents: number }
  | { readonly kind: "percent"; readonly basisPoints: number }

/** A fine, due in full from the first late day (`multa`, modalities 1 and 2). */
export type Fine = FixedOrPercent

/** A reduction at any time of payment (`abatimento`, modalities 1 and 2). */
export type Abatement = FixedOrPercent

/** Simple interest per late day (`juros`, modalities 1 to 4 on calendar days, 5 to 8 on business days). */
export type Interest =
  | { readonly kind: "fixedPerDay"; readonly days: DayCount; readonly amountCents: number }
  | {
      readonly kind: "percentPerDay" | "percentPerMonth" | "percentPerYear"
      readonly days: DayCount
      readonly basisPoints: number
    }

/**
 * A discount for early payment (`desconto`): up to three tiers (modalities 1 and 2), or a rate per early day (3 to 6).
 * `daysBefore` counts calendar days before the due date; `discountDates` makes dates of them. `parseFees` sorts the tiers by
 * decreasing `daysBefore`.
 */
export type Discount =
  | {
      readonly kind: "fixedUntil"
      readonly tiers: ReadonlyArray<{ readonly daysBefore: number; readonly amountCents: number }>
    }
  | {
      readonly kind: "percentUntil"
      readonly tiers: ReadonlyArray<{ readonly daysBefore: number; readonly basisPoints: number }>
    }
  | { readonly kind: "fixedPerDayEarly"; readonly days: DayCount; readonly amountCents: number }
  | { readonly kind: "percentPerDayEarly"; readonly days: DayCount; readonly basisPoints: number }

/** A company's terms for late and early payment. */
export interface FeesInput {
  readonly fine?: Fine
  readonly interest?: Interest
  readonly abatement?: Abatement
  readonly discount?: Discount
}

/** Fees checked by `parseFees`, with a discount's tiers in date order. */
export type Fees = FeesInput & { readonly [brand]: "Fees" }

export type InvalidFeesReason = "kind" | "days" | "amount" | "percent" | "tiers" | "passed" | "exceedsAmount"

const explanations: Record<InvalidFeesReason, string> = {
  kind: "must be of a known kind",
  days: 'must count "calendar" or "business" days',
  amount: "must have a whole number of centavos from 1 to 999999999999",
  percent: "must have a whole number of basis points, from 1 to 9999 for a reduction, to 1000000 otherwise",
  tiers: "must have one to three tiers, each with its own whole number of days before the due date, from 0 to 3650",
  passed: "must have no tier whose date has passed",
  exceedsAmount: "must leave something of the amount to pay",
}

/**
 * The fees of a company, or of a request (`isRequested`), break a rule; `field` and `reason` say which part and why.
 *
 * @remedy Correct that part of the registration, or of the request's `fees`; for `exceedsAmount`, raise the amount or reduce less.
 * @repeat No, not before that part is corrected.
 */
export class InvalidFees extends TaggedError("InvalidFees")<{
  readonly field: keyof FeesInput
  readonly reason: InvalidFeesReason
  readonly isRequested?: true
}> {
  get problem(): string {
    return explanations[this.reason]
  }
  override get message(): string {
    return this.isRequested === true
      ? `The charge's fees.${this.field} ${this.problem}.`
      : `The ${this.field} ${this.problem}: correct it in the registration.`
  }
}

const isWithin = (n: unknown, min: number, max: number): boolean =>
  typeof n === "number" && Number.isInteger(n) && n >= min && n <= max

type Written = { readonly [field: string]: unknown }
type Check = (part: Written) => InvalidFeesReason | undefined

const firstReason = (reasons: ReadonlyArray<InvalidFeesReason | undefined>): InvalidFeesReason | undefined =>
  reasons.find((reason) => reason !== undefined)

const amount: Check = (part) => (isWithin(part["amountCents"], 1, maximumChargeCents) ? undefined : "amount")

const percent =
  (max: number): Check =>
  (part) =>
    isWithin(part["basisPoints"], 1, max) ? undefined : "percent"

/** At most 10 000 %. */
const addedPercent = percent(1_000_000)
/** Less than 100 %. */
const reductionPercent = percent(9_999)

const days: Check = (part) => (part["days"] === "calendar" || part["days"] === "business" ? undefined : "days")

const tiers =
  (check: Check): Check =>
  (part) => {
    const written: unknown = part["tiers"]
    if (!Array.isArray(written) || written.length < 1 || written.length > 3) return "tiers"
    const daysBefore = new Set(written.map((tier: Written | null | undefined) => tier?.["daysBefore"]))
    if (daysBefore.size < written.length || ![...daysBefore].every((day) => isWithin(day, 0, 3_650))) return "tiers"
    return firstReason(written.map(check))
  }

const kinds = (checks: Readonly<Record<string, ReadonlyArray<Check>>>) => new Map(Object.entries(checks))

const parts = {
  fine: kinds({ fixed: [amount], percent: [addedPercent] }),
  interest: kinds({
    fixedPerDay: [days, amount],
    percentPerDay: [days, addedPercent],
    percentPerMonth: [days, addedPercent],
    percentPerYear: [days, addedPercent],
  }),
  abatement: kinds({ fixed: [amount], percent: [reductionPercent] }),
  discount: kinds({
    fixedUntil: [tiers(amount)],
    percentUntil: [tiers(reductionPercent)],
    fixedPerDayEarly: [days, amount],
    percentPerDayEarly: [days, reductionPercent],
  }),
} satisfies Record<keyof FeesInput, unknown>

const sortDiscount = (discount: Discount): Discount =>
  discount.kind === "fixedUntil" || discount.kind === "percentUntil"
    ? ({ ...discount, tiers: discount.tiers.toSorted((a, b) => b.daysBefore - a.daysBefore) } as Discount)
    : discount

/**
 * Checks fees at run time: known kinds, and whole centavos or basis points within their limits. `checkReductions` compares
 * them with an amount.
 *
 * @example
 * ```ts
 * import { parseFees } from "@pixcharge/core/money"
 * import * as Result from "effect/Result"
 *
 * const fees = parseFees({ fine: { kind: "percent", basisPoints: -1 } })
 * Result.isFailure(fees) && fees.failure.field // => "fine"
 * ```
 */
export const parseFees = (input: FeesInput): Result.Result<Fees, InvalidFees> => {
  for (const field of ["fine", "interest", "abatement", "discount"] as const) {
    const part = input[field] as Written | null | undefined
    const reason = part === undefined ? undefined : wrongWith(field, part)
    if (reason !== undefined) return Result.fail(new InvalidFees({ field, reason }))
  }
  const { discount } = input
  return Result.succeed((discount ? { ...input, discount: sortDiscount(discount) } : input) as Fees)
}

const wrongWith = (field: keyof FeesInput, part: Written | null): InvalidFeesReason | undefined => {
  if (part === null) return "kind"
  const checks = parts[field].get(part["kind"] as string)
  return checks === undefined ? "kind" : firstReason(checks.map((check) => check(part)))
}

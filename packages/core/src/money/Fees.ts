import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { maximumChargeCents } from "./Money.ts"

declare const brand: unique symbol

/** Which days are counted: all of them (`dias corridos`), or business days only (`dias úteis`). */
export type DayCount = "calendar" | "business"

/** An amount, or a percentage in basis points: 2.00 % is 200. API Pix writes both as `valorPerc`, `\d{1,10}\.\d{2}`. */
export type FixedOrPercent =
  | { readonly kind: "fixed"; readonly amountCents: number }
  | { readonly kind: "percent"; readonly basisPoints: number }

/** A fine, due in full from the first late day on (`multa`, modalities 1 and 2). */
export type Fine = FixedOrPercent

/** What is taken off whenever the payment comes (`abatimento`, modalities 1 and 2). */
export type Abatement = FixedOrPercent

/** Simple interest for every late day (`juros`, modalities 1 to 4 on calendar days, 5 to 8 on business days). */
export type Interest =
  | { readonly kind: "fixedPerDay"; readonly days: DayCount; readonly amountCents: number }
  | {
      readonly kind: "percentPerDay" | "percentPerMonth" | "percentPerYear"
      readonly days: DayCount
      readonly basisPoints: number
    }

/**
 * A discount for paying early (`desconto`): up to three days of decreasing advance with a discount each (modalities 1
 * and 2), or so much for every day of advance (modalities 3 to 6).
 *
 * A registration applies to charges of any date, so its days are given as calendar days before the due date;
 * `discountDates` makes dates of them.
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

/** What a company's registration says about late and early payment, as a host writes it down. */
export interface FeesInput {
  readonly fine?: Fine
  readonly interest?: Interest
  readonly abatement?: Abatement
  readonly discount?: Discount
}

/** Fees that `parseFees` has found sound; the tiers of a discount are in the order of their days. */
export type Fees = FeesInput & { readonly [brand]: "Fees" }

/** What is wrong with a part of the fees. */
export type InvalidFeesReason = "kind" | "days" | "amount" | "percent" | "tiers" | "exceedsAmount"

const explanations: Record<InvalidFeesReason, string> = {
  kind: "is of no known kind",
  days: 'counts "calendar" or "business" days',
  amount: "needs a whole number of centavos from 1 to 999999999999",
  percent: "needs a whole number of basis points, from 1 to 9999 where something is taken off, to 1000000 otherwise",
  tiers: "has one to three tiers, each another whole number of days before the due date, from 0 to 3650",
  exceedsAmount: "would leave nothing of the amount to pay",
}

/** Fees that can't be; `field` and `reason` say which part and why. */
export class InvalidFees extends Data.TaggedError("InvalidFees")<{
  readonly field: keyof FeesInput
  readonly reason: InvalidFeesReason
}> {
  override get message(): string {
    return `the ${this.field} ${explanations[this.reason]}`
  }
}

const within = (n: unknown, least: number, most: number): boolean =>
  typeof n === "number" && Number.isInteger(n) && n >= least && n <= most

const amountFlaw = (amountCents: unknown): InvalidFeesReason | undefined =>
  within(amountCents, 1, maximumChargeCents) ? undefined : "amount"

const percentFlaw = (basisPoints: unknown, most: number): InvalidFeesReason | undefined =>
  within(basisPoints, 1, most) ? undefined : "percent"

const daysFlaw = (days: unknown): InvalidFeesReason | undefined =>
  days === "calendar" || days === "business" ? undefined : "days"

/** 10 000 %: beyond any lawful rate, and small enough for sums to stay exact numbers. */
const mostAdded = 1_000_000
/** All of an amount can't be taken off. */
const mostTakenOff = 9999

const shareFlaw = (share: FixedOrPercent, most: number): InvalidFeesReason | undefined => {
  switch (share?.kind) {
    case "fixed":
      return amountFlaw(share.amountCents)
    case "percent":
      return percentFlaw(share.basisPoints, most)
    default:
      return "kind"
  }
}

const interestFlaw = (interest: Interest): InvalidFeesReason | undefined => {
  switch (interest?.kind) {
    case "fixedPerDay":
      return daysFlaw(interest.days) ?? amountFlaw(interest.amountCents)
    case "percentPerDay":
    case "percentPerMonth":
    case "percentPerYear":
      return daysFlaw(interest.days) ?? percentFlaw(interest.basisPoints, mostAdded)
    default:
      return "kind"
  }
}

const tiersFlaw = (tiers: ReadonlyArray<{ readonly daysBefore: number }>): InvalidFeesReason | undefined => {
  if (!Array.isArray(tiers) || tiers.length < 1 || tiers.length > 3) return "tiers"
  const days = tiers.map((tier) => tier?.daysBefore)
  return days.every((day) => within(day, 0, 3650)) && new Set(days).size === days.length ? undefined : "tiers"
}

const firstFlaw = <A>(items: ReadonlyArray<A>, flawOf: (item: A) => InvalidFeesReason | undefined) => {
  for (const item of items) {
    const flaw = flawOf(item)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const discountFlaw = (discount: Discount): InvalidFeesReason | undefined => {
  switch (discount?.kind) {
    case "fixedUntil":
      return tiersFlaw(discount.tiers) ?? firstFlaw(discount.tiers, (tier) => amountFlaw(tier.amountCents))
    case "percentUntil":
      return (
        tiersFlaw(discount.tiers) ?? firstFlaw(discount.tiers, (tier) => percentFlaw(tier.basisPoints, mostTakenOff))
      )
    case "fixedPerDayEarly":
      return daysFlaw(discount.days) ?? amountFlaw(discount.amountCents)
    case "percentPerDayEarly":
      return daysFlaw(discount.days) ?? percentFlaw(discount.basisPoints, mostTakenOff)
    default:
      return "kind"
  }
}

/** The earliest day comes first: that is the order in which the central bank compares them. */
const inOrder = <A extends { readonly daysBefore: number }>(tiers: ReadonlyArray<A>): ReadonlyArray<A> =>
  tiers.toSorted((a, b) => b.daysBefore - a.daysBefore)

const sorted = (discount: Discount): Discount => {
  if (discount.kind === "fixedUntil") return { ...discount, tiers: inOrder(discount.tiers) }
  return discount.kind === "percentUntil" ? { ...discount, tiers: inOrder(discount.tiers) } : discount
}

/**
 * Fees are sound if each part is of a known kind, in whole centavos or basis points, within its limits; they are
 * checked at run time, for they come from a registration.
 *
 * Whether discount and abatement leave something of a given amount is `checkReductions`' to say.
 */
export const parseFees = (input: FeesInput): Result.Result<Fees, InvalidFees> => {
  const { fine, interest, abatement, discount } = input
  const flaws = {
    fine: fine === undefined ? undefined : shareFlaw(fine, mostAdded),
    interest: interest === undefined ? undefined : interestFlaw(interest),
    abatement: abatement === undefined ? undefined : shareFlaw(abatement, mostTakenOff),
    discount: discount === undefined ? undefined : discountFlaw(discount),
  }
  for (const field of ["fine", "interest", "abatement", "discount"] as const) {
    const reason = flaws[field]
    if (reason !== undefined) return Result.fail(new InvalidFees({ field, reason }))
  }
  return Result.succeed((discount ? { ...input, discount: sorted(discount) } : input) as Fees)
}

import * as Result from "effect/Result"
import { businessDaysBetween, type KeptDays, keptHolidays, nextBusinessDay } from "../calendar/BusinessDay.ts"
import { type Holidays, nationalBankHolidays } from "../calendar/Holidays.ts"
import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import { addDays, daysBetween, type LocalDate } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import { type Discount, type Fees, type FixedOrPercent, InvalidFees, type Interest } from "../money/Fees.ts"

export interface AmountTerms {
  readonly amountCents: Cents
  /** The requested day, not moved. Absent for an immediate charge, which bears no fees. */
  readonly dueDate?: LocalDate
  readonly fees?: Fees
  readonly closedDays?: KeptDays
}

/** The charge's promised closed days, and the calendar `otherwise` for days that they don't cover. */
export const promisedHolidays = ({ closedDays }: Pick<AmountTerms, "closedDays">, otherwise: Holidays): Holidays =>
  closedDays === undefined ? otherwise : keptHolidays(closedDays, otherwise)

/** The calendar days after the moved due date that the charge is payable, as promised. */
export const promisedGraceDays = (
  charge: AmountTerms & { readonly payableUntil: number },
  otherwise: Holidays,
): number | undefined =>
  charge.dueDate &&
  Math.max(
    0,
    daysBetween(
      nextBusinessDay(charge.dueDate, promisedHolidays(charge, otherwise)),
      brasiliaDate(charge.payableUntil),
    ),
  )

/** The amount due on a day: `total = original - abatement - discount + interest + fine`. */
export interface AmountDue {
  readonly originalCents: Cents
  readonly abatementCents: Cents
  readonly discountCents: Cents
  readonly interestCents: Cents
  readonly fineCents: Cents
  readonly totalCents: Cents
}

export type DiscountDate = { readonly date: LocalDate } & FixedOrPercent

/**
 * The dates of a discount's tiers, earliest first, not moved to business days (API Pix: `descontoDataFixa`). Empty for a
 * discount per early day.
 */
export const discountDates = (discount: Discount, dueDate: LocalDate): ReadonlyArray<DiscountDate> => {
  const date = (tier: { readonly daysBefore: number }) => addDays(dueDate, -tier.daysBefore)
  if (discount.kind === "fixedUntil") {
    return discount.tiers.map((tier) => ({ date: date(tier), kind: "fixed", amountCents: tier.amountCents }))
  }
  if (discount.kind !== "percentUntil") return []
  return discount.tiers.map((tier) => ({ date: date(tier), kind: "percent", basisPoints: tier.basisPoints }))
}

/** Truncated to whole centavos. */
const percentage = (base: bigint, basisPoints: number, times = 1n): bigint =>
  (base * BigInt(basisPoints) * times) / 10_000n

const shareCents = (base: bigint, share: FixedOrPercent): bigint =>
  share.kind === "fixed" ? BigInt(share.amountCents) : percentage(base, share.basisPoints)

const daysInPeriod = {
  percentPerDay: { calendar: 1n, business: 1n },
  percentPerMonth: { calendar: 30n, business: 21n },
  percentPerYear: { calendar: 360n, business: 252n },
} as const

const interestCents = (base: bigint, interest: Interest, daysLate: bigint): bigint => {
  if (interest.kind === "fixedPerDay") return BigInt(interest.amountCents) * daysLate
  const millionths = (BigInt(interest.basisPoints) * 100n * daysLate) / daysInPeriod[interest.kind][interest.days]
  return (base * millionths) / 1_000_000n
}

interface Situation {
  readonly dueDate: LocalDate
  readonly movedDueDate: LocalDate
  readonly date: LocalDate
  readonly holidays: Holidays
}

const daysLate = ({ movedDueDate, date, holidays }: Situation, days: Interest["days"]): number =>
  days === "calendar" ? daysBetween(movedDueDate, date) : businessDaysBetween(movedDueDate, date, holidays)

const discountCents = (base: bigint, discount: Discount, situation: Situation): bigint => {
  if (discount.kind === "fixedPerDayEarly" || discount.kind === "percentPerDayEarly") {
    const daysEarly = BigInt(Math.max(0, -daysLate(situation, discount.days)))
    return discount.kind === "fixedPerDayEarly"
      ? BigInt(discount.amountCents) * daysEarly
      : percentage(base, discount.basisPoints, daysEarly)
  }
  const { dueDate, date, holidays } = situation
  // Several dates can move to one business day; the earliest decides.
  const tier = discountDates(discount, dueDate).find((until) => date <= nextBusinessDay(until.date, holidays))
  return tier === undefined ? 0n : shareCents(base, tier)
}

interface Parts {
  readonly abatement: bigint
  readonly discount: bigint
  readonly interest: bigint
  readonly fine: bigint
}

const feeParts = (original: bigint, fees: Fees, situation: Situation): Parts => {
  const { fine, interest, abatement: reduction, discount } = fees
  const late = situation.date > situation.movedDueDate
  const abatement = reduction ? shareCents(original, reduction) : 0n
  const base = original > abatement ? original - abatement : 0n
  return {
    abatement,
    discount: discount ? discountCents(base, discount, situation) : 0n,
    interest: late && interest ? interestCents(base, interest, BigInt(daysLate(situation, interest.days))) : 0n,
    fine: late && fine ? shareCents(base, fine) : 0n,
  }
}

const noParts: Parts = { abatement: 0n, discount: 0n, interest: 0n, fine: 0n }

const partsOn = (terms: AmountTerms, date: LocalDate, calendar: Holidays): Parts => {
  const { amountCents, dueDate, fees } = terms
  if (dueDate === undefined || fees === undefined) return noParts
  const holidays = promisedHolidays(terms, calendar)
  return feeParts(BigInt(amountCents), fees, {
    dueDate,
    movedDueDate: nextBusinessDay(dueDate, holidays),
    date,
    holidays,
  })
}

const toCents = (cents: bigint): Cents => {
  if (cents > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`${cents} centavos are beyond 2^53`)
  return Number(cents) as Cents
}

/** Reduces `taken` until one centavo is left. */
const leavingOne = (taken: bigint, from: bigint): bigint => {
  if (taken < from) return taken
  return from > 0n ? from - 1n : 0n
}

const chargedOn = (terms: AmountTerms, date: LocalDate, holidays: Holidays): Parts => {
  const original = BigInt(terms.amountCents)
  const parts = partsOn(terms, date, holidays)
  const abatement = leavingOne(parts.abatement, original)
  return { ...parts, abatement, discount: leavingOne(parts.discount, original - abatement) }
}

const totalCents = (terms: AmountTerms, { abatement, discount, interest, fine }: Parts): bigint =>
  BigInt(terms.amountCents) - abatement - discount + interest + fine

/**
 * The amount due if a charge is paid on a day, by the central bank's rules (Manual de Padrões para Iniciação do Pix, annex
 * III §4): late days count from the moved due date. The interest factor is truncated at six decimals, every part at whole
 * centavos.
 *
 * This is a preview: the receiving bank uses the holidays of the payer's municipality. `holidays` decides on days
 * outside the terms' `closedDays`. Abatement and discount always leave one centavo. Throws a RangeError for a total
 * beyond 2^53 centavos.
 *
 * @example
 * ```ts
 * import { parseLocalDate } from "@pixcharge/core/calendar"
 * import { amountDueOn } from "@pixcharge/core/charges"
 * import { type Cents, parseFees } from "@pixcharge/core/money"
 * import * as Result from "effect/Result"
 *
 * const dueDate = Result.getOrThrow(parseLocalDate("2026-11-23"))
 * const fees = Result.getOrThrow(parseFees({ fine: { kind: "percent", basisPoints: 200 } }))
 * const late = Result.getOrThrow(parseLocalDate("2026-11-24"))
 * amountDueOn({ amountCents: 10000 as Cents, dueDate, fees }, late).totalCents // => 10200
 * ```
 */
export const amountDueOn = (
  terms: AmountTerms,
  date: LocalDate,
  holidays: Holidays = nationalBankHolidays,
): AmountDue => {
  const parts = chargedOn(terms, date, holidays)
  return {
    originalCents: terms.amountCents,
    abatementCents: toCents(parts.abatement),
    discountCents: toCents(parts.discount),
    interestCents: toCents(parts.interest),
    fineCents: toCents(parts.fine),
    totalCents: toCents(totalCents(terms, parts)),
  }
}

/** Doesn't throw for a total beyond 2^53 centavos. */
export const isAmountDueOn = (
  terms: AmountTerms,
  date: LocalDate,
  amountCents: Cents,
  holidays: Holidays = nationalBankHolidays,
): boolean => totalCents(terms, chargedOn(terms, date, holidays)) === BigInt(amountCents)

/**
 * Checks that abatement and discount leave something to pay from the day of issue. The central bank refuses larger
 * reductions (API Pix, `CobVOperacaoInvalida`) and recommends the check at issue (bacen/pix-api, issue 408).
 */
export const checkReductions = (
  terms: AmountTerms,
  issuedOn: LocalDate,
  holidays: Holidays = nationalBankHolidays,
): Result.Result<void, InvalidFees> => {
  const { dueDate, fees } = terms
  const original = BigInt(terms.amountCents)
  const laterDates = dueDate && fees?.discount ? discountDates(fees.discount, dueDate).map(({ date }) => date) : []
  for (const date of [issuedOn, ...laterDates.filter((later) => later > issuedOn)]) {
    const { abatement, discount } = partsOn(terms, date, holidays)
    if (abatement >= original) return Result.fail(new InvalidFees({ field: "abatement", reason: "exceedsAmount" }))
    if (abatement + discount >= original) {
      return Result.fail(new InvalidFees({ field: "discount", reason: "exceedsAmount" }))
    }
  }
  return Result.void
}

import * as Result from "effect/Result"
import { addDays, daysBetween, type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import {
  type Abatement,
  type Discount,
  type Fees,
  type FeesInput,
  type Fine,
  type Interest,
  parseFees,
} from "../money/Fees.ts"

type ByDays<Share> = Share & { readonly daysBefore: number; readonly date?: undefined }
type ByDate<Share> = Share & { readonly date: string; readonly daysBefore?: undefined }
type Tiers<Share> = ReadonlyArray<ByDays<Share> | ByDate<Share>>

/** Tiers end days before the due date, or on a date up to it, `YYYY-MM-DD`. */
export type ChargeDiscount =
  | Exclude<Discount, { readonly tiers: unknown }>
  | { readonly kind: "fixedUntil"; readonly tiers: Tiers<{ readonly amountCents: number }> }
  | { readonly kind: "percentUntil"; readonly tiers: Tiers<{ readonly basisPoints: number }> }

/** The fees of one charge. An absent part is the registration's; `"none"` waives the part. */
export interface ChargeFeesInput {
  readonly fine?: Fine | "none" | undefined
  readonly interest?: Interest | "none" | undefined
  readonly abatement?: Abatement | "none" | undefined
  readonly discount?: ChargeDiscount | "none" | undefined
}

/** A host's own terms. Repeats are compared by them, so a changed registration makes no conflict. */
export interface RequestedTerms {
  /** Never empty. A discount's tiers are in date order. */
  readonly fees?: ChargeFeesInput
  readonly graceDays?: number
}

type FeesPart = keyof FeesInput

const feesParts: ReadonlyArray<FeesPart> = ["fine", "interest", "abatement", "discount"]

const noFees: Readonly<Record<FeesPart, "none">> = {
  fine: "none",
  interest: "none",
  abatement: "none",
  discount: "none",
}

/** API Pix: `validadeAposVencimento`. */
export const maxGraceDays = 3_650

export const isGraceDays = (days: unknown): days is number =>
  typeof days === "number" && Number.isInteger(days) && days >= 1 && days <= maxGraceDays

type Written = Readonly<Record<string, unknown>>

const pickFields = (given: Written, names: ReadonlyArray<string>): Written =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

const shareFields = ["amountCents", "basisPoints"]
const tierFields = ["daysBefore", "date", ...shareFields]

/** NaN unless the tier has either a day or a date. */
const daysBefore = ({ daysBefore: days, date }: Written, dueDate: LocalDate): number => {
  if ((days === undefined) === (date === undefined)) return Number.NaN
  if (date === undefined) return days as number
  const day = parseLocalDate(date as string)
  return Result.isSuccess(day) ? daysBetween(day.success, dueDate) : Number.NaN
}

const countDays = (discount: Written, dueDate: LocalDate): Written => {
  const { tiers } = discount
  if (!Array.isArray(tiers)) return discount
  return {
    ...discount,
    tiers: tiers.map((tier: Written) => ({
      ...pickFields(tier, shareFields),
      daysBefore: daysBefore(tier, dueDate),
    })),
  }
}

/** The known fields, with tiers in date order: requests of one meaning have equal copies. */
const copyPart = (given: Written, dueDate: LocalDate): Written => {
  const { tiers } = given
  const part = pickFields(given, ["kind", "days", ...shareFields])
  if (!Array.isArray(tiers)) return part
  const ordered = tiers.toSorted((a: Written, b: Written) => daysBefore(b, dueDate) - daysBefore(a, dueDate))
  return { ...part, tiers: ordered.map((tier: Written) => pickFields(tier, tierFields)) }
}

const isWritten = (part: unknown): part is Written => typeof part === "object" && part !== null && !Array.isArray(part)

const hasTierList = ({ tiers }: Written): boolean => !Array.isArray(tiers) || tiers.every(isWritten)

const parsePart = (name: FeesPart, part: unknown, dueDate: LocalDate): Written | undefined => {
  if (!isWritten(part) || !hasTierList(part)) return undefined
  const isSound = Result.isSuccess(parseFees({ [name]: countDays(part, dueDate) }))
  return isSound ? copyPart(part, dueDate) : undefined
}

/** The failure is the first wrong field, like `fees.discount`. */
export const parseChargeFees = (
  given: unknown,
  dueDate: LocalDate,
): Result.Result<ChargeFeesInput | undefined, "fees" | `fees.${FeesPart}`> => {
  if (given === "none") return Result.succeed(noFees)
  if (!isWritten(given)) return Result.fail("fees" as const)
  const named = feesParts.filter((part) => given[part] !== undefined)
  const fees: Partial<Record<FeesPart, unknown>> = {}
  for (const name of named) {
    const part: unknown = given[name]
    const parsed = part === "none" ? part : parsePart(name, part, dueDate)
    if (parsed === undefined) return Result.fail(`fees.${name}` as const)
    fees[name] = parsed
  }
  return Result.succeed(named.length === 0 ? undefined : (fees as ChargeFeesInput))
}

export const hasPassedDate = ({ discount }: ChargeFeesInput, day: LocalDate): boolean =>
  typeof discount === "object" &&
  "tiers" in discount &&
  discount.tiers.some(({ date }: { readonly date?: string | undefined }) => date !== undefined && date < day)

const tierDate = (dueDate: LocalDate, tier: { readonly daysBefore: number }): LocalDate =>
  addDays(dueDate, -tier.daysBefore)

/** Omits the tiers that have passed on `day`; undefined without a tier. */
const openDiscount = (discount: Discount | undefined, dueDate: LocalDate, day: LocalDate): Discount | undefined => {
  if (discount === undefined || !("tiers" in discount)) return discount
  const isOpen = (tier: { readonly daysBefore: number }) => tierDate(dueDate, tier) >= day
  if (discount.tiers.every(isOpen)) return discount
  const open = { ...discount, tiers: discount.tiers.filter(isOpen) } as typeof discount
  return open.tiers.length > 0 ? open : undefined
}

export interface FeesAtIssue {
  readonly requested?: ChargeFeesInput | undefined
  readonly registered?: Fees | undefined
  readonly dueDate: LocalDate
}

const namedFees = ({ requested, registered, dueDate }: FeesAtIssue): FeesInput | undefined => {
  if (requested === undefined) return registered
  const fees: Partial<Record<FeesPart, unknown>> = {}
  for (const name of feesParts) {
    const own = requested[name]
    const part =
      own === undefined ? registered?.[name] : own === "none" ? undefined : countDays(own as Written, dueDate)
    if (part !== undefined) fees[name] = part
  }
  return fees as FeesInput
}

/** A charge's fees: each part is the request's, or else the registration's. Omits a discount's tiers that have passed. */
export const chargeFees = (terms: FeesAtIssue, issuedOn: LocalDate): Fees | undefined => {
  const named = namedFees(terms)
  const { discount, ...fees } = named ?? {}
  const open = openDiscount(discount, terms.dueDate, issuedOn)
  if (named === terms.registered && open === discount) return terms.registered
  return open === undefined && Object.keys(fees).length === 0
    ? undefined
    : ({ ...fees, ...(open && { discount: open }) } as Fees)
}

/** The fees with each passed tier and all later ones, earliest first. A call on an earlier day can have sent them. */
export const earlierChargeFees = (terms: FeesAtIssue, issuedOn: LocalDate): ReadonlyArray<Fees> => {
  const discount = namedFees(terms)?.discount
  if (discount === undefined || !("tiers" in discount)) return []
  const dates = discount.tiers.map((tier) => tierDate(terms.dueDate, tier)).filter((date) => date < issuedOn)
  return dates.flatMap((date) => chargeFees(terms, date) ?? [])
}

import { businessDay, dayMs, isOpen, plusDays } from "./recurrences/calendar.ts"

interface Share {
  readonly amountCents?: number
  readonly basisPoints?: number
}

interface Tier extends Share {
  readonly daysBefore?: number
  readonly date?: string
}

export interface FeesPart extends Share {
  readonly kind: string
  readonly days?: "calendar" | "business"
  readonly tiers?: ReadonlyArray<Tier>
}

export type FeesOf<None> = Partial<Record<"fine" | "interest" | "abatement" | "discount", FeesPart | None>>

const hundredths = ({ amountCents, basisPoints = 0 }: Share): string => ((amountCents ?? basisPoints) / 100).toFixed(2)

const modes: Readonly<Record<string, number>> = {
  fixed: 1,
  percent: 2,
  fixedPerDay: 1,
  percentPerDay: 2,
  percentPerMonth: 3,
  percentPerYear: 4,
  fixedUntil: 1,
  percentUntil: 2,
  fixedPerDayEarly: 3,
  percentPerDayEarly: 5,
}

/** API Pix: interest counts business days by modes 5 to 8, discounts by 4 and 6. */
const mode = ({ kind, days }: FeesPart): number =>
  (modes[kind] ?? 0) + (days !== "business" ? 0 : kind.endsWith("Early") ? 1 : 4)

const tierDay = ({ date, daysBefore = 0 }: Tier, dueDate: string): string => date ?? plusDays(dueDate, -daysBefore)

export interface WrittenPart {
  readonly modalidade: number
  readonly valorPerc?: string
  readonly descontoDataFixa?: ReadonlyArray<{ readonly data: string; readonly valorPerc: string }>
}

export type WrittenFees = Partial<Record<"multa" | "juros" | "abatimento" | "desconto", WrittenPart>>

/** The fees as API Pix writes them (`multa`, `juros`, `abatimento`, `desconto`), without tiers that end before `today`. */
export const writeFees = (fees: FeesOf<never>, dueDate: string, today = ""): WrittenFees => {
  const { fine: multa, interest: juros, abatement: abatimento, discount } = fees
  const write = (part: FeesPart) => ({ modalidade: mode(part), valorPerc: hundredths(part) })
  const tiers = discount?.tiers
    ?.map((tier) => ({ data: tierDay(tier, dueDate), valorPerc: hundredths(tier) }))
    .filter(({ data }) => data >= today)
    .toSorted((a, b) => (a.data < b.data ? -1 : 1))
  const desconto =
    discount && (tiers === undefined ? write(discount) : { modalidade: mode(discount), descontoDataFixa: tiers })
  return {
    ...(multa && { multa: write(multa) }),
    ...(juros && { juros: write(juros) }),
    ...(abatimento && { abatimento: write(abatimento) }),
    ...(desconto && tiers?.length !== 0 && { desconto }),
  }
}

const feeNames = ["multa", "juros", "abatimento", "desconto"] as const

/** The fees and days of grace of the bank or a request, as a text. */
export const conditions = (valor: object, graceDays?: unknown): string =>
  JSON.stringify([...feeNames.map((name) => (valor as WrittenFees)[name] ?? "none"), graceDays])

const cents = (value: string): number => Math.round(Number(value) * 100)

const shareOf = (base: number, { modalidade, valorPerc = "0" }: WrittenPart): number =>
  modalidade === 1 ? cents(valorPerc) : Math.floor((base * cents(valorPerc)) / 10_000)

/** The days from the one to the other, without the first. */
const countDays = (from: string, to: string, areOpen: boolean): number => {
  if (!areOpen) return (Date.parse(to) - Date.parse(from)) / dayMs
  let count = 0
  for (let day = from; day < to; day = plusDays(day, 1)) count += Number(isOpen(plusDays(day, 1)))
  return count
}

const discountOf = (base: number, desconto: WrittenPart, due: string, day: string): number => {
  const { modalidade, valorPerc = "0", descontoDataFixa: tiers } = desconto
  if (tiers !== undefined) {
    const tier = tiers.find(({ data }) => day <= businessDay(data))
    return tier === undefined ? 0 : shareOf(base, { modalidade, valorPerc: tier.valorPerc })
  }
  const early = day >= due ? 0 : countDays(plusDays(day, -1), plusDays(due, -1), modalidade % 2 === 0)
  return modalidade < 5 ? cents(valorPerc) * early : Math.floor((base * cents(valorPerc) * early) / 10_000)
}

const periods = [1, 1, 30, 360, 1, 1, 21, 252]

const interestOf = (base: number, { modalidade, valorPerc = "0" }: WrittenPart, late: number): number => {
  if (modalidade % 4 === 1) return cents(valorPerc) * late
  return Math.floor((base * Math.floor((cents(valorPerc) * 100 * late) / (periods[modalidade - 1] ?? 1))) / 1_000_000)
}

/** The cents that a due-date charge costs on a day, by its `valor` and the central bank's rules. */
export const amountDue = (originalCents: number, dueDate: string, valor: object, day: string): number => {
  const { multa, juros, abatimento, desconto } = valor as WrittenFees
  const due = businessDay(dueDate)
  const base = originalCents - (abatimento ? shareOf(originalCents, abatimento) : 0)
  const reduced = Math.max(1, base - (desconto ? discountOf(base, desconto, due, day) : 0))
  if (day <= due) return reduced
  const interest = juros ? interestOf(base, juros, countDays(due, day, juros.modalidade > 4)) : 0
  return reduced + interest + (multa ? shareOf(base, multa) : 0)
}

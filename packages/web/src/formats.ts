import { brasiliaDate, brasiliaWallClock } from "@pixcharge/core/calendar"

const relativeTexts = {
  at: "às",
  now: "agora",
  past: "há",
  future: "em",
  units: { day: "dia", hour: "hora", minute: "minuto" },
} as const

/** The languages of the apps. */
export type Lang = "pt-BR" | "en"

const marks: Readonly<Record<Lang, readonly [group: string, point: string]>> = { "pt-BR": [".", ","], en: [",", "."] }

const groupDigits = (digits: string, separator: string): string => digits.replace(/\B(?=(?:\d{3}){1,7}$)/g, separator)

const formatDecimal = (value: number, decimals: number, lang: Lang): string => {
  const [group, point] = marks[lang]
  const [whole = "", fraction = ""] = Math.abs(value).toFixed(decimals).split(".")
  return `${value < 0 ? "-" : ""}${groupDigits(whole, group)}${fraction && point + fraction}`
}

/** Formats integer cents: `R$ 1.234,56`. It doesn't use the calendar's code, so browser scripts stay small. */
export const formatReais = (cents: number, lang: Lang): string => {
  const [group, point] = marks[lang]
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}R$ ${groupDigits(digits.slice(0, -2), group)}${point}${digits.slice(-2)}`
}

/** Formats a CPF or CNPJ: `529.982.247-25`, `12.345.678/0001-95`. */
export const formatTaxId = (taxId: string): string =>
  taxId.length === 11
    ? taxId.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4")
    : taxId.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5")

/** Formats of amounts, times and figures. */
export interface Formats {
  /** Formats integer cents: `R$ 1.234,56`. */
  readonly reais: (cents: number) => string
  /** Formats a whole number: `12.345`. */
  readonly count: (value: number) => string
  /** Formats a fraction as a percentage with one decimal: 0.125 as `12,5%`. */
  readonly percent: (share: number) => string
  /** Formats `YYYY-MM-DD`: `22/11/2026`. */
  readonly day: (date: string) => string
  /** The day in Brasília at an instant (epoch milliseconds). */
  readonly date: (atMs: number) => string
  /** The time in Brasília: `14:05`. */
  readonly time: (atMs: number) => string
  /** Day and time: `22/11/2026 14:05`. */
  readonly dateTime: (atMs: number) => string
  /** Day and time in a sentence: `22/11/2026 às 14:05`. */
  readonly moment: (atMs: number) => string
  /** The distance between instants in its largest unit: `há 5 minutos`, `em 2 dias`. */
  readonly relative: (atMs: number, nowMs: number) => string
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const

type Unit = (typeof units)[number][0]

const toLargestUnit = (ms: number): { readonly count: number; readonly unit: Unit } | undefined => {
  for (const [unit, size] of units) if (ms >= size) return { count: Math.floor(ms / size), unit }
  return undefined
}

interface Language {
  readonly day: (year: string, month: string, day: string) => string
  /** The text between day and time. */
  readonly at: string
  readonly now: string
  readonly relative: (count: number, unit: Unit, isPast: boolean) => string
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const languages: Readonly<Record<Lang, Language>> = {
  "pt-BR": {
    day: (year, month, day) => `${day}/${month}/${year}`,
    at: `${relativeTexts.at} `,
    now: relativeTexts.now,
    relative: (count, unit, isPast) =>
      `${isPast ? relativeTexts.past : relativeTexts.future} ${plural(count, relativeTexts.units[unit])}`,
  },
  en: {
    day: (year, month, day) => `${Number(day)} ${months[Number(month) - 1]} ${year}`,
    at: "",
    now: "now",
    relative: (count, unit, isPast) => (isPast ? `${plural(count, unit)} ago` : `in ${plural(count, unit)}`),
  },
}

/** A language's formats in Brasília's time. They don't use the platform's `Intl`, so they are equal everywhere. */
export const formatsFor = (lang: Lang): Formats => {
  const { at, now, relative, day: writeDay } = languages[lang]
  const day = (date: string): string => {
    // Stryker disable next-line StringLiteral: a date has three parts
    const [year = "", month = "", dayOfMonth = ""] = date.split("-")
    return writeDay(year, month, dayOfMonth)
  }
  const date = (atMs: number): string => day(brasiliaDate(atMs))
  const time = (atMs: number): string => brasiliaWallClock(atMs).slice(11, 16)
  return {
    reais: (cents) => formatReais(cents, lang),
    count: (value) => formatDecimal(value, 0, lang),
    percent: (share) => `${formatDecimal(share * 100, 1, lang)}%`,
    day,
    date,
    time,
    dateTime: (atMs) => `${date(atMs)} ${time(atMs)}`,
    moment: (atMs) => `${date(atMs)} ${at}${time(atMs)}`,
    relative: (atMs, nowMs) => {
      const distance = toLargestUnit(Math.abs(atMs - nowMs))
      return distance === undefined ? now : relative(distance.count, distance.unit, atMs < nowMs)
    },
  }
}

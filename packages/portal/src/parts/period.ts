import type { Period } from "@pixcharge/core"
import {
  addDays,
  brasiliaDate,
  daysBetween,
  type LocalDate,
  parseLocalDate,
  startOfBrasiliaDay,
} from "@pixcharge/core/calendar"
import { type Html, html } from "@pixcharge/web"
import * as Result from "effect/Result"
import type { View } from "../frame/View.ts"
import { field, type FieldProblem } from "./field.ts"
import { formats } from "./formats.ts"

export const periodTexts = {
  from: "De",
  until: "Até",
  noDay: "Informe uma data válida, como 22/11/2026.",
  backwards: "A data final não pode ser anterior à inicial.",
  tooLong: (days: number) => `O período pode ter no máximo ${days} dias.`,
  oneDay: (day: string) => `Dia ${day}, no horário de Brasília`,
  links: "Períodos",
  today: "Hoje",
  lastDays: (days: number) => `Últimos ${days} dias`,
  days: (from: string, until: string) => `De ${from} a ${until}, no horário de Brasília`,
}

export const fromField = "de"
export const untilField = "ate"

/** A period of whole days in Brasília. */
export interface PeriodChoice {
  /** The first day: `YYYY-MM-DD`, or the typed text if there is a `problem`. */
  readonly from: string
  readonly until: string
  /** The period including both days, or the default period if there is a problem. */
  readonly period: Period
  readonly problem?: FieldProblem
}

interface Bounds {
  /** The length of the default period, which ends today. */
  readonly days: number
  readonly maxDays?: number
}

/** Days of this century. Any other century is a typing error. */
const plausibleDay = /^20\d{2}-/

/** Parses a date from a browser's date field, or `22/11/2026` from a browser without date fields. */
export const readDay = (text: string): LocalDate | undefined => {
  const iso = text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1")
  const parsed = parseLocalDate(iso)
  return Result.isSuccess(parsed) && plausibleDay.test(iso) ? parsed.success : undefined
}

const periodBetween = (first: LocalDate, last: LocalDate): Period => ({
  from: startOfBrasiliaDay(first),
  until: startOfBrasiliaDay(addDays(last, 1)),
})

/** Reads a period; default: the last `days` days, including today. `now` is in epoch milliseconds. */
export const readPeriod = (
  input: { readonly from?: string | null | undefined; readonly until?: string | null | undefined },
  { days, maxDays }: Bounds,
  now: number,
): PeriodChoice => {
  const today = brasiliaDate(now)
  const from = input.from?.trim() || addDays(today, 1 - days)
  const until = input.until?.trim() || (input.from ? input.from.trim() : today)
  const wrong = (name: string, text: string): PeriodChoice => ({
    from,
    until,
    period: periodBetween(addDays(today, 1 - days), today),
    problem: { field: name, text },
  })
  const [first, last] = [readDay(from), readDay(until)]
  if (first === undefined) return wrong(fromField, periodTexts.noDay)
  if (last === undefined) return wrong(untilField, periodTexts.noDay)
  if (last < first) return wrong(untilField, periodTexts.backwards)
  if (maxDays !== undefined && daysBetween(first, last) >= maxDays) {
    return wrong(untilField, periodTexts.tooLong(maxDays))
  }
  return { from: first, until: last, period: periodBetween(first, last) }
}

const dayField = (name: string, label: string, value: string, problem: FieldProblem | undefined): Html =>
  field({ name, label, problem }, (attributes) => html`<input type="date" required ${attributes} value="${value}" />`)

export const periodFields = ({ from, until, problem }: PeriodChoice): Html =>
  html`${dayField(fromField, periodTexts.from, from, problem)}
  ${dayField(untilField, periodTexts.until, until, problem)}`

export const periodText = ({ from, until }: PeriodChoice): string =>
  from === until ? periodTexts.oneDay(formats.day(from)) : periodTexts.days(formats.day(from), formats.day(until))

export const periodQuery = ({
  from,
  until,
}: Pick<PeriodChoice, "from" | "until">): Readonly<Record<string, string>> => ({
  [fromField]: from,
  [untilField]: until,
})

export const periodLinks = (
  { link, now }: Pick<View, "link" | "now">,
  path: string,
  { from, until }: Pick<PeriodChoice, "from" | "until">,
  numbers: ReadonlyArray<number>,
): Html => {
  const today = brasiliaDate(now)
  const links = numbers.map((days) => {
    const first = addDays(today, 1 - days)
    const search = new URLSearchParams(periodQuery({ from: first, until: today }))
    const isShown = from === first && until === today
    return html`<li>
      <a href="${link(`${path}?${String(search)}`)}" ${isShown && html`aria-current="true"`}
        >${days === 1 ? periodTexts.today : periodTexts.lastDays(days)}</a
      >
    </li>`
  })
  return html`<nav aria-label="${periodTexts.links}">
    <ul class="row period-links">
      ${links}
    </ul>
  </nav>`
}

export const readQueryPeriod = (
  { query, now }: Pick<View, "query" | "now">,
  bounds: { readonly days: number; readonly maxDays?: number },
): PeriodChoice => readPeriod({ from: query.get(fromField), until: query.get(untilField) }, bounds, now)

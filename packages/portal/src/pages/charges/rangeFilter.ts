import { addDays, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { ChargeFilter } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { field, type FieldProblem } from "../../parts/field.ts"
import { readDay } from "../../parts/period.ts"
import { periodTexts } from "../../parts/partTexts.ts"
import { readReais } from "../../parts/readReais.ts"
import { rangeTexts } from "./chargeTexts.ts"

/** The ends of each range by which the list is narrowed, as fields of URLs and forms; an end that is empty is open. */
const ranges = {
  due: ["vencimento-de", "vencimento-ate"],
  paid: ["pago-de", "pago-ate"],
  amount: ["valor-de", "valor-ate"],
} as const

/** The fields as they were written, without the empty ones. */
export type RangeInput = Readonly<Record<string, string>>

/** Reads the ranges of a query or a form. */
export const readRanges = (read: (name: string) => string | null | undefined): RangeInput =>
  Object.fromEntries(
    Object.values(ranges)
      .flat()
      .map((name) => [name, (read(name) ?? "").trim()] as const)
      .filter(([, text]) => text !== ""),
  )

const problemBetween = <A extends string | number>(
  input: RangeInput,
  [from, until]: readonly [string, string],
  parse: (text: string) => A | undefined,
  texts: { readonly wrong: string; readonly backwards: string },
): FieldProblem | undefined => {
  const read = (name: string) => (input[name] === undefined ? undefined : parse(input[name]))
  for (const name of [from, until]) {
    if (input[name] !== undefined && read(name) === undefined) return { field: name, text: texts.wrong }
  }
  const [first, last] = [read(from), read(until)]
  if (first === undefined || last === undefined || first <= last) return undefined
  return { field: until, text: texts.backwards }
}

/** The first invalid field of the ranges. */
export const findRangeProblem = (input: RangeInput): FieldProblem | undefined => {
  const days = { wrong: periodTexts.noDay, backwards: periodTexts.backwards }
  return (
    problemBetween(input, ranges.due, readDay, days) ??
    problemBetween(input, ranges.paid, readDay, days) ??
    problemBetween(input, ranges.amount, readReais, { wrong: rangeTexts.noAmount, backwards: rangeTexts.backwards })
  )
}

/** Both days of a range that has one; an open end is that of this century. */
const daysBetween = (input: RangeInput, [from, until]: readonly [string, string]) =>
  input[from] === undefined && input[until] === undefined
    ? undefined
    : { from: readDay(input[from] ?? "2000-01-01"), until: readDay(input[until] ?? "2099-12-31") }

/** The ranges as `pix.charges` takes them. */
export const toRangeFilter = (input: RangeInput): Pick<ChargeFilter, "amount" | "due" | "paid"> => {
  const due = daysBetween(input, ranges.due)
  const paid = daysBetween(input, ranges.paid)
  const [minCents, maxCents] = ranges.amount.map((name) => readReais(input[name] ?? ""))
  return {
    ...((minCents !== undefined || maxCents !== undefined) && { amount: { minCents, maxCents } }),
    ...(due?.from && due.until && { due: { from: due.from, until: due.until } }),
    ...(paid?.from &&
      paid.until && {
        paid: { from: startOfBrasiliaDay(paid.from), until: startOfBrasiliaDay(addDays(paid.until, 1)) },
      }),
  }
}

const amountNames: ReadonlyArray<string> = ranges.amount

/** The fields of the ranges, for a form. */
export const rangeFields = (input: RangeInput, problem: FieldProblem | undefined): ReadonlyArray<Html> =>
  Object.values(ranges)
    .flat()
    .map((name) =>
      field({ name, label: rangeTexts.labels[name], problem }, (attributes) =>
        amountNames.includes(name)
          ? html`<input inputmode="decimal" maxlength="20" autocomplete="off" ${attributes} value="${input[name]}" />`
          : html`<input type="date" ${attributes} value="${input[name]}" />`,
      ),
    )

import { addDays, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { ChargeFilter, ChargeStatus } from "@pixcharge/embed"
import { fold, type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { field, type FieldProblem, readReais } from "../../parts/field.ts"
import { cursorField, statusField } from "../../parts/list.ts"
import {
  fromField,
  type PeriodChoice,
  periodFields,
  periodLinks,
  periodQuery,
  periodTexts,
  readDay,
  readPeriod,
  untilField,
} from "../../parts/period.ts"
import {
  findTextProblem,
  readAddressText,
  sealText,
  type SoughtInput,
  textField,
  textFields,
  textInput,
} from "../../parts/soughtText.ts"
import { chargesPath, listTexts, statusTexts } from "./chargeTexts.ts"

const rangeTexts = {
  labels: {
    "vencimento-de": "Vencimento, de",
    "vencimento-ate": "Vencimento, até",
    "pago-de": "Pagamento, de",
    "pago-ate": "Pagamento, até",
    "valor-de": "Valor, de (R$)",
    "valor-ate": "Valor, até (R$)",
  },
  noAmount: "Digite um valor em reais, com vírgula para os centavos, como 1.234,56.",
  backwards: "O valor final é menor que o inicial.",
} as const

const rangeEnds = {
  due: ["vencimento-de", "vencimento-ate"],
  paid: ["pago-de", "pago-ate"],
  amount: ["valor-de", "valor-ate"],
} as const

export type RangeInput = Readonly<Record<string, string>>

const readRanges = (read: (name: string) => string | null | undefined): RangeInput =>
  Object.fromEntries(
    Object.values(rangeEnds)
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

const findRangeProblem = (input: RangeInput): FieldProblem | undefined => {
  const days = { wrong: periodTexts.noDay, backwards: periodTexts.backwards }
  return (
    problemBetween(input, rangeEnds.due, readDay, days) ??
    problemBetween(input, rangeEnds.paid, readDay, days) ??
    problemBetween(input, rangeEnds.amount, readReais, { wrong: rangeTexts.noAmount, backwards: rangeTexts.backwards })
  )
}

const daysBetween = (input: RangeInput, [from, until]: readonly [string, string]) =>
  input[from] === undefined && input[until] === undefined
    ? undefined
    : { from: readDay(input[from] ?? "2000-01-01"), until: readDay(input[until] ?? "2099-12-31") }

const toRangeFilter = (input: RangeInput): Pick<ChargeFilter, "amount" | "due" | "paid"> => {
  const due = daysBetween(input, rangeEnds.due)
  const paid = daysBetween(input, rangeEnds.paid)
  const [minCents, maxCents] = rangeEnds.amount.map((name) => readReais(input[name] ?? ""))
  return {
    ...((minCents !== undefined || maxCents !== undefined) && { amount: { minCents, maxCents } }),
    ...(due?.from && due.until && { due: { from: due.from, until: due.until } }),
    ...(paid?.from &&
      paid.until && {
        paid: { from: startOfBrasiliaDay(paid.from), until: startOfBrasiliaDay(addDays(paid.until, 1)) },
      }),
  }
}

const amountNames: ReadonlyArray<string> = rangeEnds.amount

const rangeFields = (input: RangeInput, problem: FieldProblem | undefined): ReadonlyArray<Html> =>
  Object.values(rangeEnds)
    .flat()
    .map((name) =>
      field({ name, label: rangeTexts.labels[name], problem }, (attributes) =>
        amountNames.includes(name)
          ? html`<input inputmode="decimal" maxlength="20" autocomplete="off" ${attributes} value="${input[name]}" />`
          : html`<input type="date" ${attributes} value="${input[name]}" />`,
      ),
    )

export const defaultDays = 7

export interface FilterInput extends SoughtInput {
  readonly period: PeriodChoice
  readonly status: string
  readonly ranges: RangeInput
  readonly cursor: string | undefined
  readonly problem?: FieldProblem
}

const findProblem = (filter: Omit<FilterInput, "problem">): FieldProblem | undefined => {
  const { period, status, text, ranges } = filter
  if (period.problem !== undefined) return period.problem
  if (status !== "" && !Object.hasOwn(statusTexts, status)) return { field: statusField, text: listTexts.noStatus }
  return findTextProblem(text) ?? findRangeProblem(ranges)
}

/** Reads the filter of a query or a form. `now` is in epoch milliseconds. */
export const readChargeFilter = (read: (name: string) => string | null | undefined, now: number): FilterInput => {
  const filter = {
    period: readPeriod({ from: read(fromField), until: read(untilField) }, { days: defaultDays }, now),
    status: read(statusField) ?? "",
    text: (read(textField) ?? "").trim(),
    ranges: readRanges(read),
    cursor: read(cursorField) || undefined,
  }
  const problem = findProblem(filter)
  return { ...filter, ...(problem !== undefined && { problem }) }
}

export const readAddressFilter = async (view: View): Promise<FilterInput> => ({
  ...readChargeFilter((name) => view.query.get(name), view.now),
  ...(await readAddressText(view)),
})

export const sealFilter = async (view: View, filter: FilterInput): Promise<FilterInput> => ({
  ...filter,
  ...(await sealText(view, filter.text)),
})

/** A complete id: a charge's id, txid or transaction id, or a payment's endToEndId. */
const wholeId = /^(?:[\da-f]{32}|(?=.*\d)[\da-z]{35}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|E\d{8}[\dA-Za-z]{23})$/i

/** Searched outside the period, too. */
export const isWholeId = (text: string): boolean => wholeId.test(text)

const anyTime = { from: Date.UTC(2000, 0, 1), until: Date.UTC(2100, 0, 1) }

export const toChargeFilter = ({ period, status, text, ranges }: FilterInput): ChargeFilter => ({
  ...(isWholeId(text) ? anyTime : period.period),
  ...(status !== "" && { status: status as ChargeStatus }),
  ...(text !== "" && { text }),
  ...toRangeFilter(ranges),
})

export const filterFields = ({ period, status, ranges, ...sought }: FilterInput): Readonly<Record<string, string>> => ({
  ...periodQuery(period),
  ...(status !== "" && { [statusField]: status }),
  ...ranges,
  ...textFields(sought),
})

/** `failed` only with recurrences: only debits fail. */
const statusSelect = ({ pix }: View, { status, problem }: FilterInput): Html =>
  field(
    { name: statusField, label: listTexts.status, problem },
    (attributes) =>
      html`<select ${attributes}>
        <option value="">${listTexts.anyStatus}</option>
        ${Object.entries(statusTexts).map(
          ([value, { text }]) =>
            (value !== "failed" || pix.hasRecurrences) &&
            html`<option value="${value}" ${value === status && html`selected`}>${text}</option>`,
        )}
      </select>`,
  )

/** POST keeps the searched text out of URLs. */
export const chargeFilterForm = (view: View, filter: FilterInput): Html =>
  html`<search class="card stack filter" aria-label="${listTexts.filter}">
    ${fold(
      "Filtros e busca",
      html`<form class="portal-filter" method="post" action="${view.link(chargesPath)}">
        ${view.token()} ${periodFields(filter.period)} ${statusSelect(view, filter)}
        ${textInput(filter.text, listTexts.textHint, filter.problem)} ${rangeFields(filter.ranges, filter.problem)}
        <button class="button button-primary">${listTexts.submit}</button>
      </form>`,
      { isOpen: filter.problem !== undefined },
    )}
    ${periodLinks(view, chargesPath, filter.period, [1, 7, 30])}
  </search>`

import type { ChargeFilter, ChargeStatus } from "@pixcharge/embed"
import type { View } from "../../frame/View.ts"
import type { FieldProblem } from "../../parts/field.ts"
import { cursorField } from "../../parts/pager.ts"
import { statusField } from "../lists/filterForm.ts"
import {
  findTextProblem,
  readAddressText,
  sealText,
  type SoughtInput,
  textField,
  textFields,
} from "../lists/soughtText.ts"
import { type PeriodChoice, fromField, periodQuery, readPeriod, untilField } from "../../parts/period.ts"
import { listTexts, statusTexts } from "./chargeTexts.ts"
import { findRangeProblem, type RangeInput, readRanges, toRangeFilter } from "./rangeFilter.ts"

/** The days of a list without a chosen period. */
export const defaultDays = 7

/** The filter of a list of charges, as it was written. */
export interface FilterInput extends SoughtInput {
  readonly period: PeriodChoice
  readonly status: string
  readonly ranges: RangeInput
  readonly cursor: string | undefined
  /** The first invalid field. */
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

/** The filter of an address. */
export const readAddressFilter = async (view: View): Promise<FilterInput> => ({
  ...readChargeFilter((name) => view.query.get(name), view.now),
  ...(await readAddressText(view)),
})

/** Makes a filter ready for an address. */
export const sealFilter = async (view: View, filter: FilterInput): Promise<FilterInput> => ({
  ...filter,
  ...(await sealText(view, filter.text)),
})

/** A whole id: of the charge, its txid, of its transaction, or the payment's. */
const wholeId = /^(?:[\da-f]{32}|(?=.*\d)[\da-z]{35}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|E\d{8}[\dA-Za-z]{23})$/i

/** Whether the text names one charge, which is found whenever it was created. */
export const isWholeId = (text: string): boolean => wholeId.test(text)

/** Every moment of this century, as days are read. */
const anyTime = { from: Date.UTC(2000, 0, 1), until: Date.UTC(2100, 0, 1) }

/** The filter as `pix.charges` takes it. */
export const toChargeFilter = ({ period, status, text, ranges }: FilterInput): ChargeFilter => ({
  ...(isWholeId(text) ? anyTime : period.period),
  ...(status !== "" && { status: status as ChargeStatus }),
  ...(text !== "" && { text }),
  ...toRangeFilter(ranges),
})

/** The fields that repeat the filter in a link. */
export const filterFields = ({ period, status, ranges, ...sought }: FilterInput): Readonly<Record<string, string>> => ({
  ...periodQuery(period),
  ...(status !== "" && { [statusField]: status }),
  ...ranges,
  ...textFields(sought),
})

import type { ChargeFilter, ChargeStatus } from "@pixcharge/embed"
import type { View } from "../../frame/View.ts"
import type { FieldProblem } from "../../parts/field.ts"
import { cursorField } from "../../parts/pager.ts"
import { statusField } from "../lists/filterForm.ts"
import { type PeriodChoice, fromField, periodQuery, readPeriod, untilField } from "../../parts/period.ts"
import { listTexts, statusTexts } from "./chargeTexts.ts"
import { findRangeProblem, type RangeInput, readRanges, toRangeFilter } from "./rangeFilter.ts"

/** The name of the search field in URLs and forms. */
export const textField = "busca"

/** The name of the field of a sealed text. */
const sealedTextField = "procura"

/** The days of a list without a chosen period. */
export const defaultDays = 7

/** The filter of a list of charges, as it was written. */
export interface FilterInput {
  readonly period: PeriodChoice
  readonly status: string
  readonly text: string
  readonly ranges: RangeInput
  readonly cursor: string | undefined
  /** The text as it stands in the address, if nobody is to read it there. */
  readonly sealedText?: string
  /** The first invalid field. */
  readonly problem?: FieldProblem
}

/** Ids that name no person: a txid, a UUID or an endToEndId. Documents and names never have as many digits. */
const publicId = /^(?:[\da-f-]{20,36}|E\d{8}[\dA-Za-z]{11,23})$/i

/** Whether a text may stand in a URL. Names and documents may not: access logs and browsers keep URLs. */
export const isPublicText = (text: string): boolean => text === "" || publicId.test(text)

const findProblem = (filter: Omit<FilterInput, "problem">): FieldProblem | undefined => {
  const { period, status, text, ranges } = filter
  if (period.problem !== undefined) return period.problem
  if (status !== "" && !Object.hasOwn(statusTexts, status)) return { field: statusField, text: listTexts.noStatus }
  const isLengthRight = text === "" || (text.length >= 2 && text.length <= 200)
  return isLengthRight ? findRangeProblem(ranges) : { field: textField, text: listTexts.textLength }
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

/** The filter of an address. A name or document is read from it only if it was sealed for this person. */
export const readAddressFilter = async ({ query, now, unseal }: View): Promise<FilterInput> => {
  const filter = readChargeFilter((name) => query.get(name), now)
  const wrong = (text: string): FilterInput => ({ ...filter, text: "", problem: { field: textField, text } })
  const sealedText = query.get(sealedTextField)
  if (sealedText === null) return isPublicText(filter.text) ? filter : wrong(listTexts.textNotInAddress)
  const text = await unseal(sealedText)
  return text === undefined ? wrong(listTexts.sealedTextOver) : { ...filter, text, sealedText }
}

/** Makes a filter ready for an address. */
export const sealFilter = async ({ seal }: View, filter: FilterInput): Promise<FilterInput> =>
  isPublicText(filter.text) ? filter : { ...filter, sealedText: await seal(filter.text) }

/** A whole id: of the charge, of its transaction, or the payment's. */
const wholeId = /^(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|E\d{8}[\dA-Za-z]{23})$/i

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
export const filterFields = ({
  period,
  status,
  text,
  sealedText,
  ranges,
}: FilterInput): Readonly<Record<string, string>> => ({
  ...periodQuery(period),
  ...(status !== "" && { [statusField]: status }),
  ...ranges,
  ...(sealedText !== undefined && { [sealedTextField]: sealedText }),
  ...(text !== "" && sealedText === undefined && { [textField]: text }),
})

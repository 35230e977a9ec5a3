import type { Page } from "@pixcharge/core"
import type { PlainRecurrence, RecurrenceStatus } from "@pixcharge/embed"
import { type Form, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import type { FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { pager } from "../../parts/pager.ts"
import { choiceField, filterForm, statusField } from "../lists/filterForm.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import {
  findTextProblem,
  readAddressText,
  type SoughtInput,
  soughtTexts,
  textField,
  textFields,
  textInput,
} from "../lists/soughtText.ts"
import { readCursor } from "./readRecurrence.ts"
import { recurrencePath, recurrencesPath } from "./recurrencePaths.ts"
import { eachCycle, findNextDue, payerText, recurrenceBadge } from "./recurrenceTerms.ts"
import { recurrenceTexts, statusTexts } from "./recurrenceTexts.ts"

const pageLength = 50

const statuses = Object.keys(statusTexts) as ReadonlyArray<RecurrenceStatus>

/** The filter of the list, as it was written. */
export interface RecurrenceInput extends SoughtInput {
  readonly status: RecurrenceStatus | undefined
  readonly cursor?: string | undefined
  /** The first invalid field. */
  readonly problem?: FieldProblem
}

/** A status that none has narrows nothing. */
const readStatus = (given: string | null | undefined): RecurrenceStatus | undefined =>
  statuses.find((status) => status === given)

/** The filter of an address. */
export const readAddressFilter = async (view: View): Promise<RecurrenceInput> => ({
  status: readStatus(view.query.get(statusField)),
  cursor: readCursor(view),
  ...(await readAddressText(view)),
})

/** The filter of a form. */
export const readFormFilter = (form: Form): RecurrenceInput => {
  const text = (form[textField] ?? "").trim()
  const problem = findTextProblem(text)
  return { status: readStatus(form[statusField]), text, ...(problem !== undefined && { problem }) }
}

/** The fields that repeat the filter in a link. */
export const filterFields = ({ status, ...sought }: RecurrenceInput): Readonly<Record<string, string>> => ({
  ...(status !== undefined && { [statusField]: status }),
  ...textFields(sought),
})

const columnsFor = ({ link, now }: View): ReadonlyArray<Column<PlainRecurrence>> => [
  {
    title: recurrenceTexts.name,
    onPhone: "title",
    cell: ({ id, title }) => html`<a href="${link(recurrencePath(id))}">${title}</a>`,
  },
  { title: recurrenceTexts.status, onPhone: "status", cell: recurrenceBadge },
  { title: recurrenceTexts.amount, cell: eachCycle },
  {
    title: recurrenceTexts.nextDue,
    cell: (recurrence) => {
      const day = findNextDue(recurrence, now)
      return day === undefined ? "—" : formats.day(day)
    },
  },
  { title: recurrenceTexts.payer, onPhone: "rest", cell: payerText },
]

/** Reads what the list shows: nothing for a filter that is invalid. */
export const readRecurrences = async (view: View, filter: RecurrenceInput): Promise<Page<PlainRecurrence>> => {
  const { status, text, cursor, problem } = filter
  if (problem !== undefined) return { items: [] }
  return view.pix.recurrences.list(
    view.company,
    { ...(status !== undefined && { status }), ...(text !== "" && { text }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
}

/** Recurrences, by status and by a text that somebody looks for. */
export const recurrenceList = async (view: View, filter: RecurrenceInput): Promise<Content> => {
  const { status, text, sealedText, problem } = filter
  const found = await readRecurrences(view, filter)
  const name = status === undefined ? recurrenceTexts.anyStatus : statusTexts[status].text
  const choices = [
    ["", recurrenceTexts.anyStatus],
    ...statuses.map((each) => [each, statusTexts[each].text] as const),
  ] as const
  const path = view.link(recurrencesPath)
  const fields = html`${choiceField(statusField, recurrenceTexts.status, choices, status ?? "")}
  ${textInput(text, recurrenceTexts.textHint, problem)}`
  return {
    shown: found,
    title: recurrenceTexts.title,
    ...(problem !== undefined && { status: 422 }),
    body: html`${filterForm(path, fields, { token: view.token(), isOpen: problem !== undefined })}
    ${sealedText !== undefined && html`<p class="hint">${soughtTexts.searched}</p>`}
    ${listTable(recurrenceTexts.shown(name), columnsFor(view), found.items, recurrenceTexts.empty)}
    ${pager({ query: view.query, path, fields: filterFields(filter), next: found.cursor })}`,
  }
}

import type { Page } from "@pixcharge/core"
import type { PlainRecurrence, RecurrenceStatus } from "@pixcharge/embed"
import { type Form, html, redirectReply } from "@pixcharge/web"
import { page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import type { FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { choiceField, type Column, filterForm, listTable, pager, statusField } from "../../parts/list.ts"
import {
  findTextProblem,
  readAddressText,
  sealText,
  type SoughtInput,
  soughtTexts,
  textField,
  textFields,
  textInput,
} from "../../parts/soughtText.ts"
import { eachCycle, findNextDue, payerText, readCursor, recurrenceBadge } from "./recurrenceTerms.ts"
import { recurrencePath, recurrencesPath, recurrenceTexts, statusTexts } from "./recurrenceTexts.ts"

const pageLength = 50

const statuses = Object.keys(statusTexts) as ReadonlyArray<RecurrenceStatus>

export interface RecurrenceInput extends SoughtInput {
  readonly status: RecurrenceStatus | undefined
  readonly cursor?: string | undefined
  readonly problem?: FieldProblem
}

const readStatus = (given: string | null | undefined): RecurrenceStatus | undefined =>
  statuses.find((status) => status === given)

const readAddressFilter = async (view: View): Promise<RecurrenceInput> => ({
  status: readStatus(view.query.get(statusField)),
  cursor: readCursor(view),
  ...(await readAddressText(view)),
})

const readFormFilter = (form: Form): RecurrenceInput => {
  const text = (form[textField] ?? "").trim()
  const problem = findTextProblem(text)
  return { status: readStatus(form[statusField]), text, ...(problem !== undefined && { problem }) }
}

const filterFields = ({ status, ...sought }: RecurrenceInput): Readonly<Record<string, string>> => ({
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

const readRecurrences = async (view: View, filter: RecurrenceInput): Promise<Page<PlainRecurrence>> => {
  const { status, text, cursor, problem } = filter
  if (problem !== undefined) return { items: [] }
  return view.pix.recurrences.list(
    view.company,
    { ...(status !== undefined && { status }), ...(text !== "" && { text }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
}

const recurrenceList = async (view: View, filter: RecurrenceInput): Promise<Content> => {
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

const section = "recurrences"

export const recurrenceListRoutes: ReadonlyArray<PortalRoute> = [
  page(recurrencesPath, { section }, async (view) => recurrenceList(view, await readAddressFilter(view)), {
    everyMs: 5_000,
    look: async (view) => readRecurrences(view, await readAddressFilter(view)),
  }),
  query(recurrencesPath, { section }, async (view, form) => {
    const filter = readFormFilter(form)
    if (filter.problem !== undefined) return recurrenceList(view, filter)
    const sealed = { ...filter, ...(await sealText(view, filter.text)) }
    return redirectReply(`${view.link(recurrencesPath)}?${new URLSearchParams(filterFields(sealed)).toString()}`)
  }),
]

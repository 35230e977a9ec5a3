import type { Page } from "@pixcharge/core"
import type { PlainRecurrence, RecurrenceStatus } from "@pixcharge/embed"
import { html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { pager } from "../../parts/pager.ts"
import { choiceField, filterForm, statusField } from "../lists/filterForm.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { readCursor } from "./readRecurrence.ts"
import { recurrencePath, recurrencesPath } from "./recurrencePaths.ts"
import { eachCycle, findNextDue, payerText, recurrenceBadge } from "./recurrenceTerms.ts"
import { recurrenceTexts, statusTexts } from "./recurrenceTexts.ts"

const pageLength = 50

const statuses = Object.keys(statusTexts) as ReadonlyArray<RecurrenceStatus>

const readStatus = ({ query }: View): RecurrenceStatus | undefined =>
  statuses.find((status) => status === query.get(statusField))

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

/** Reads what the list shows. */
export const readRecurrences = (view: View): Promise<Page<PlainRecurrence>> => {
  const status = readStatus(view)
  const cursor = readCursor(view)
  return view.pix.recurrences.list(
    view.company,
    { ...(status !== undefined && { status }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
}

/** Recurrences, by status. */
export const recurrenceList = async (view: View): Promise<Content> => {
  const status = readStatus(view)
  const found = await readRecurrences(view)
  const name = status === undefined ? recurrenceTexts.anyStatus : statusTexts[status].text
  const choices = [
    ["", recurrenceTexts.anyStatus],
    ...statuses.map((each) => [each, statusTexts[each].text] as const),
  ] as const
  const path = view.link(recurrencesPath)
  return {
    shown: found,
    title: recurrenceTexts.title,
    body: html`${filterForm(path, choiceField(statusField, recurrenceTexts.status, choices, status ?? ""))}
    ${listTable(recurrenceTexts.shown(name), columnsFor(view), found.items, recurrenceTexts.empty)}
    ${pager({ query: view.query, path, fields: { [statusField]: status ?? "" }, next: found.cursor })}`,
  }
}

import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { chargePath } from "../charges/chargePaths.ts"
import { chargeStatusBadge } from "../charges/chargeStatusBadge.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { recurrenceTexts } from "./recurrenceTexts.ts"

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainCharge>> => [
  {
    title: recurrenceTexts.cycle,
    cell: ({ id, cycle }) =>
      html`<a href="${link(chargePath(id))}"
        ><span class="visually-hidden">${recurrenceTexts.openCharge(cycle?.cycle ?? 0)}</span
        ><span aria-hidden="true">${cycle?.cycle}</span></a
      >`,
  },
  { title: recurrenceTexts.dueDate, cell: ({ dueDate }) => (dueDate ? formats.day(dueDate) : "—") },
  { title: recurrenceTexts.status, onPhone: "status", cell: chargeStatusBadge },
  {
    title: recurrenceTexts.attempts,
    isNumber: true,
    cell: ({ debit }) => formats.count(debit?.attempts.length ?? 0),
  },
  {
    title: recurrenceTexts.amount,
    isNumber: true,
    onPhone: "title",
    cell: ({ amountCents }) => formats.reais(amountCents),
  },
]

/** The charges of a recurrence's cycles. */
export const cycleTable = (view: View, charges: ReadonlyArray<PlainCharge>): Html =>
  listTable(recurrenceTexts.cycles, columnsFor(view), charges, recurrenceTexts.noCycles)

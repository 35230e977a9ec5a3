import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { chargePath } from "./chargePaths.ts"
import { chargeStatusBadge } from "./chargeStatusBadge.ts"
import { chargeTexts, listTexts } from "./chargeTexts.ts"

/** Enough to tell the charges of a page apart by eye. Screen readers read the whole id. */
const shownIdLength = 8

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainCharge>> => [
  {
    title: listTexts.charge,
    cell: ({ id }) =>
      html`<a class="mono" href="${link(chargePath(id))}"
        >${id.slice(0, shownIdLength)}<span class="visually-hidden">${id.slice(shownIdLength)}</span></a
      >`,
  },
  { title: listTexts.created, cell: ({ createdAt }) => formats.dateTime(createdAt) },
  { title: chargeTexts.dueDate, onPhone: "none", cell: ({ dueDate }) => (dueDate ? formats.day(dueDate) : "—") },
  {
    title: chargeTexts.paidAt,
    onPhone: "none",
    cell: (charge) => ("payment" in charge ? formats.dateTime(charge.payment.paidAt) : "—"),
  },
  { title: chargeTexts.status, onPhone: "status", cell: chargeStatusBadge },
  { title: listTexts.payer, onPhone: "rest", cell: ({ payer }) => (payer === undefined ? "—" : maskPayer(payer)) },
  { title: listTexts.amount, isNumber: true, onPhone: "title", cell: ({ amountCents }) => formats.reais(amountCents) },
]

/** The charges of a page of the list. */
export const chargeTable = (view: View, charges: ReadonlyArray<PlainCharge>, caption: string): Html =>
  listTable(caption, columnsFor(view), charges, `${listTexts.empty} ${listTexts.emptyHint}`)

import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { chargePath } from "./chargePaths.ts"
import { chargeStatusBadge } from "./chargeStatusBadge.ts"
import { chargeTexts, listTexts } from "./chargeTexts.ts"

/** Enough to tell the charges of a page apart by eye; a screen reader reads all of it. */
const shownIdLength = 8

const row = (view: View, charge: PlainCharge): Html =>
  html`<tr>
    <td data-label="${listTexts.charge}">
      <a class="mono" href="${view.link(chargePath(charge.id))}"
        >${charge.id.slice(0, shownIdLength)}<span class="visually-hidden">${charge.id.slice(shownIdLength)}</span></a
      >
    </td>
    <td data-label="${listTexts.created}">${formats.dateTime(charge.createdAt)}</td>
    <td data-label="${chargeTexts.status}">${chargeStatusBadge(charge)}</td>
    <td data-label="${listTexts.payer}">${charge.payer === undefined ? "–" : maskPayer(charge.payer)}</td>
    <td data-label="${listTexts.amount}" class="number">${formats.reais(charge.amountCents)}</td>
  </tr>`

/** The charges of a page of the list. */
export const chargeTable = (view: View, charges: ReadonlyArray<PlainCharge>, caption: string): Html =>
  html`<div class="table-scroll">
    <table class="table table-stacked">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${listTexts.charge}</th>
          <th scope="col">${listTexts.created}</th>
          <th scope="col">${chargeTexts.status}</th>
          <th scope="col">${listTexts.payer}</th>
          <th scope="col" class="number">${listTexts.amount}</th>
        </tr>
      </thead>
      <tbody>
        ${charges.map((charge) => row(view, charge))}
      </tbody>
    </table>
  </div>`

import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { field } from "../../parts/field.ts"
import { fromField, periodFields, untilField } from "../../parts/period.ts"
import { statusField } from "../lists/filterForm.ts"
import { type AskedFilter, textField } from "./chargeFilter.ts"
import { chargesPath } from "./chargePaths.ts"
import { listTexts, statusTexts } from "./chargeTexts.ts"

const statusSelect = ({ status, problem }: AskedFilter): Html =>
  field(
    { name: statusField, label: listTexts.status, problem },
    (attributes) =>
      html`<select ${attributes}>
        <option value="">${listTexts.anyStatus}</option>
        ${Object.entries(statusTexts).map(
          ([value, { text }]) => html`<option value="${value}" ${value === status && html`selected`}>${text}</option>`,
        )}
      </select>`,
  )

const textInput = ({ text, problem }: AskedFilter): Html =>
  field(
    { name: textField, label: listTexts.text, hint: listTexts.textHint, problem },
    (attributes) =>
      html`<input type="search" ${attributes} value="${text}" maxlength="200" autocomplete="off" spellcheck="false" />`,
  )

/** Links to the periods that are asked for most. */
const shortcuts = (view: View): Html => {
  const today = brasiliaDate(view.now)
  const period = (days: number, text: string) => {
    const search = new URLSearchParams({ [fromField]: addDays(today, 1 - days), [untilField]: today })
    return html`<li><a href="${view.link(chargesPath)}?${search.toString()}">${text}</a></li>`
  }
  return html`<nav aria-label="${listTexts.shortcuts}">
    <ul class="row portal-shortcuts">
      ${period(1, listTexts.today)} ${period(7, listTexts.lastDays(7))} ${period(30, listTexts.lastDays(30))}
    </ul>
  </nav>`
}

/** The filter of the list, filled with what was asked for. It is sent as a form, so that what is searched is in no URL. */
export const chargeFilterForm = (view: View, filter: AskedFilter): Html =>
  html`<search class="card stack" aria-label="${listTexts.filter}">
    <form class="portal-filter" method="post" action="${view.link(chargesPath)}">
      ${view.token()} ${periodFields(filter.asked)} ${statusSelect(filter)} ${textInput(filter)}
      <button class="button button-primary">${listTexts.submit}</button>
    </form>
    ${shortcuts(view)}
  </search>`

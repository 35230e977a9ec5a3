import { fold, type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { field } from "../../parts/field.ts"
import { periodFields } from "../../parts/period.ts"
import { periodLinks } from "../../parts/periodLinks.ts"
import { statusField } from "../lists/filterForm.ts"
import { textInput } from "../lists/soughtText.ts"
import type { FilterInput } from "./chargeFilter.ts"
import { chargesPath } from "./chargePaths.ts"
import { listTexts, statusTexts } from "./chargeTexts.ts"
import { rangeFields } from "./rangeFilter.ts"

/** No charge of a host without recurrences is debited, and so none fails. */
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

/** The form of the filter, with its present values. It is sent by POST, so that the searched text stands in no URL. */
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

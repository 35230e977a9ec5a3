import { isPixError } from "@pixcharge/embed"
import type { Page } from "@pixcharge/core"
import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { cursorField, linkStep, pager } from "../../parts/pager.ts"
import { periodText } from "../../parts/period.ts"
import { type FilterInput, filterFields, isPublicText, toChargeFilter } from "./chargeFilter.ts"
import { chargeFilterForm } from "./chargeFilterForm.ts"
import { issueTexts } from "../issuing/issueTexts.ts"
import { chargesPath, newChargePath } from "./chargePaths.ts"
import { chargeTable } from "./chargeTable.ts"
import { listTexts } from "./chargeTexts.ts"

/** Rows of a page: two screens. */
const pageLimit = 50

/** A step of a search for a name or a document: a form, too. */
const formStep =
  (view: View, filter: FilterInput) =>
  (cursor: string | undefined, text: string): Html =>
    html`<form method="post" action="${view.link(chargesPath)}">
      ${view.token()}
      ${Object.entries({ ...filterFields(filter), ...(cursor !== undefined && { [cursorField]: cursor }) }).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="button button-quiet">${text}</button>
    </form>`

const renderList = (view: View, filter: FilterInput, { items, cursor }: Page<PlainCharge>): Html => {
  const step = isPublicText(filter.text)
    ? linkStep(view.link(chargesPath), filterFields(filter))
    : formStep(view, filter)
  return html`${chargeTable(view, items, `${periodText(filter.period)}: ${listTexts.shown}`)}
  ${!isPublicText(filter.text) && html`<p class="hint">${listTexts.searched}</p>`}
  ${pager({ at: filter.cursor, next: cursor, step })}`
}

/** Reads a page of the list. */
export const readCharges = ({ pix, company }: View, filter: FilterInput): Promise<Page<PlainCharge>> =>
  pix.charges(company, toChargeFilter(filter), {
    limit: pageLimit,
    ...(filter.cursor !== undefined && { cursor: filter.cursor }),
  })

/** The list, or the filter with its invalid field. */
export const chargeList = async (view: View, filter: FilterInput): Promise<Content> => {
  const heading = {
    title: listTexts.title,
    ...(view.may("issue") && {
      badge: html`<a class="button button-primary" href="${view.link(newChargePath)}">${issueTexts.title}</a>`,
    }),
  }
  const refusalContent = (body: Html): Content => ({ ...heading, status: 422, body })
  if (filter.problem !== undefined) return refusalContent(chargeFilterForm(view, filter))
  try {
    const found = await readCharges(view, filter)
    return {
      ...heading,
      shown: found,
      body: html`${chargeFilterForm(view, filter)} ${renderList(view, filter, found)}`,
    }
  } catch (error) {
    if (!isPixError(error, "InvalidFilter")) throw error
    const notice = html`<p class="notice" data-tone="bad">${listTexts.noCursor}</p>`
    return refusalContent(html`${notice} ${chargeFilterForm(view, { ...filter, cursor: undefined })}`)
  }
}

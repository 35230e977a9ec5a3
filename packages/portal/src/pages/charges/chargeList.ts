import { isPixError } from "@pixcharge/embed"
import type { Page } from "@pixcharge/core"
import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { pager } from "../../parts/pager.ts"
import { periodQuery, periodText } from "../../parts/period.ts"
import { type FilterInput, filterFields, isWholeId, toChargeFilter } from "./chargeFilter.ts"
import { chargeFilterForm } from "./chargeFilterForm.ts"
import { issueTexts } from "../issuing/issueTexts.ts"
import { chargesFilePath, chargesPath, newChargePath, paymentsFilePath } from "./chargePaths.ts"
import { chargeTable } from "./chargeTable.ts"
import { listTexts } from "./chargeTexts.ts"
import { soughtTexts } from "../lists/soughtText.ts"

/** Rows of a page: two screens. */
const pageLimit = 50

const fileLinks = ({ link }: View, filter: FilterInput): Html => {
  const { cursor: _, ...whole } = filter
  const file = (path: string, fields: Readonly<Record<string, string>>, text: string): Html =>
    html`<a class="button button-quiet" href="${link(path)}?${new URLSearchParams(fields).toString()}">${text}</a>`
  return html`<div class="row">
    ${file(chargesFilePath, filterFields({ cursor: undefined, ...whole }), listTexts.chargesFile)}
    ${file(paymentsFilePath, periodQuery(filter.period), listTexts.paymentsFile)}
  </div>`
}

const renderList = (view: View, filter: FilterInput, { items, cursor: next }: Page<PlainCharge>): Html => {
  const when = isWholeId(filter.text) ? listTexts.anyTime : periodText(filter.period)
  return html`${chargeTable(view, items, `${when}: ${listTexts.shown}`)}
  ${filter.sealedText !== undefined && html`<p class="hint">${soughtTexts.searched}</p>`}
  ${pager({ query: view.query, path: view.link(chargesPath), fields: filterFields(filter), next })}
  ${fileLinks(view, filter)}`
}

/** Reads a page of the list. */
export const readCharges = (
  { pix, company }: View,
  filter: FilterInput,
  limit = pageLimit,
): Promise<Page<PlainCharge>> =>
  pix.charges(company, toChargeFilter(filter), {
    limit,
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

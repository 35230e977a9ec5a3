import type { Page } from "@pixcharge/core"
import { isEndToEndId } from "@pixcharge/core/internal"
import { isPixError, type PlainCharge } from "@pixcharge/embed"
import { type Html, html, redirectReply } from "@pixcharge/web"
import { page, type PortalRoute, query } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { formats, maskPayer } from "../../parts/formats.ts"
import { type Column, listTable, pager } from "../../parts/list.ts"
import { periodQuery, periodText } from "../../parts/period.ts"
import { soughtTexts } from "../../parts/soughtText.ts"
import { exceptionPath } from "../exceptions/exceptionList.ts"
import {
  chargeFilterForm,
  filterFields,
  type FilterInput,
  isWholeId,
  readAddressFilter,
  readChargeFilter,
  sealFilter,
  toChargeFilter,
} from "./chargeFilter.ts"
import { chargeStatusBadge } from "./chargeParts.ts"
import {
  chargePath,
  chargesFilePath,
  chargesPath,
  chargeTexts,
  listTexts,
  newChargePath,
  paymentsFilePath,
} from "./chargeTexts.ts"
import { issueTexts } from "./issueCharge.ts"

/** Enough to distinguish the charges of a page. */
const shownIdLength = 8

const shownReferenceLength = 24

const shorten = (reference: string): string => {
  const letters = [...reference]
  return letters.length > shownReferenceLength ? `${letters.slice(0, shownReferenceLength - 1).join("")}…` : reference
}

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainCharge>> => [
  {
    title: listTexts.charge,
    cell: ({ id, reference }) =>
      html`<a class="mono" href="${link(chargePath(id))}"
          >${id.slice(0, shownIdLength)}<span class="visually-hidden">${id.slice(shownIdLength)}</span></a
        >
        ${reference !== undefined && html`<small class="muted">${shorten(reference)}</small>`}`,
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

const chargeTable = (view: View, charges: ReadonlyArray<PlainCharge>, caption: string): Html =>
  listTable(caption, columnsFor(view), charges, `${listTexts.empty} ${listTexts.emptyHint}`)

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

export const readCharges = (
  { pix, company }: View,
  filter: FilterInput,
  limit = pageLimit,
): Promise<Page<PlainCharge>> =>
  pix.charges(company, toChargeFilter(filter), {
    limit,
    ...(filter.cursor !== undefined && { cursor: filter.cursor }),
  })

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

const section = "charges"

/** A search's form redirects to an address with the sealed text, or to the page of a payment without a charge. */
export const listRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesPath, { section }, async (view) => chargeList(view, await readAddressFilter(view)), {
    everyMs: 3_000,
    look: async (view) => readCharges(view, await readAddressFilter(view)),
  }),
  query(chargesPath, { section }, async (view, form) => {
    const filter = readChargeFilter((name) => form[name], view.now)
    if (filter.problem !== undefined) return chargeList(view, filter)
    const found = isEndToEndId(filter.text) ? await view.pix.findPayment(view.company, filter.text) : undefined
    if (found?.exception) return redirectReply(view.link(exceptionPath(found.payment.endToEndId)))
    const search = new URLSearchParams(filterFields(await sealFilter(view, filter)))
    return redirectReply(`${view.link(chargesPath)}?${search.toString()}`)
  }),
]

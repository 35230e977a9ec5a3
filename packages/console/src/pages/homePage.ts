import type { Reply } from "@pixcharge/core"
import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { chargeStatuses } from "@pixcharge/core/charges"
import { isEndToEndId } from "@pixcharge/core/internal"
import { type ChargeStatus, isPixError, type PlainCharge, type PlainException } from "@pixcharge/embed"
import { fold, type Form, type Html, html, type PageRequest } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { formats, formFields, frame } from "./frame.ts"
import { exceptionCard } from "./exceptionCard.ts"
import { issueForm } from "./issueForm.ts"
import { manyForm } from "./manyForm.ts"
import { chargeBadge } from "./parts.ts"

const listedDays = 366
const maxListed = 20

export interface Rejected {
  readonly form: Form
  readonly problem: string
}

const chargeRow = (root: string, charge: PlainCharge): Html =>
  html`<tr>
    <td>
      <a class="mono" href="${root}console/charges/${charge.id}">${charge.id.slice(0, 8)}</a>
      ${charge.reference !== undefined && html`<small class="muted">${charge.reference}</small>`}
    </td>
    <td class="moment">${formats.dateTime(charge.createdAt)}</td>
    <td data-on-phone="rest">${charge.dueDate === undefined ? "immediate" : formats.day(charge.dueDate)}</td>
    <td data-on-phone="title" class="number">${formats.reais(charge.amountCents)}</td>
    <td data-on-phone="status">${chargeBadge(charge.status)}</td>
  </tr>`

interface Choice {
  readonly text: string
  readonly status: ChargeStatus | undefined
  readonly cursor: string | undefined
}

/** The searched text; empty if its length is invalid: `pix.charges` requires 2 to 200 characters. */
const searchText = (query: URLSearchParams): string => {
  const text = (query.get("q") ?? "").trim()
  return text.length < 2 || text.length > 200 ? "" : text
}

const readChoice = (query: URLSearchParams): Choice => ({
  text: searchText(query),
  status: chargeStatuses.find((status) => status === query.get("status")),
  cursor: query.get("cursor") ?? undefined,
})

const findCharges = async ({ pix, company }: ConsoleContext, { text, status, cursor }: Choice) => {
  const now = pix.clock.now()
  const filter = { from: now - listedDays * 86_400_000, until: now + 1, ...(text !== "" && { text }), status }
  try {
    return await pix.charges(company.cnpj, filter, { limit: maxListed, ...(cursor !== undefined && { cursor }) })
  } catch (error) {
    if (!isPixError(error, "InvalidFilter")) throw error
    return pix.charges(company.cnpj, filter, { limit: maxListed })
  }
}

/** The payment of a payer's receipt, if it settled no charge: the list has the others. */
const findException = async ({ pix, company }: ConsoleContext, text: string): Promise<PlainException | undefined> =>
  isEndToEndId(text) ? (await pix.findPayment(company.cnpj, text))?.exception : undefined

const pager = (root: string, { text, status, cursor }: Choice, next: string | undefined): Html => {
  const chosen = { ...(text !== "" && { q: text }), ...(status !== undefined && { status }) }
  const link = (more: Readonly<Record<string, string>>) =>
    `${root || "./"}?${String(new URLSearchParams({ ...chosen, ...more }))}`
  return html`<nav class="pager" aria-label="Pages of the list">
    ${cursor !== undefined && html`<a class="button button-quiet" href="${link({})}">Newest</a>`}
    ${next !== undefined && html`<a class="button button-quiet" href="${link({ cursor: next })}">Older</a>`}
  </nav>`
}

const chargeList = async (context: ConsoleContext, root: string, choice: Choice): Promise<Html> => {
  const { items, cursor: next } = await findCharges(context, choice)
  if (items.length === 0) {
    const isChosen = choice.text !== "" || choice.status !== undefined
    return html`<p class="empty">
      ${isChosen ? "No such charge." : "No charges yet: issue one with the form, or generate a month of charges."}
    </p>`
  }
  return html`<div class="table-scroll">
      <table class="table table-stacked">
        <caption>
          ${choice.cursor === undefined ? `The newest ${items.length}` : `${items.length} older ones`} of the last 12
          months
        </caption>
        <thead>
          <tr>
            <th scope="col">Charge</th>
            <th scope="col">Created</th>
            <th scope="col">Due</th>
            <th scope="col" class="number">Amount</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          ${items.map((charge) => chargeRow(root, charge))}
        </tbody>
      </table>
    </div>
    ${pager(root, choice, next)}`
}

const filterForm = (root: string, { text, status }: Choice): Html =>
  html`<form method="get" action="${root}" role="search" class="row search">
    <label class="visually-hidden" for="q">Id, txid, payer, reference or a receipt's endToEndId</label>
    <input id="q" name="q" type="search" value="${text}" placeholder="Id, payer, reference…" />
    <label class="visually-hidden" for="status">Status</label>
    <select id="status" name="status">
      <option value="">all</option>
      ${chargeStatuses.map((known) => html`<option ${known === status ? "selected" : ""}>${known}</option>`)}
    </select>
    <button class="button button-small">Show</button>
  </form>`

export const homePage = async (
  context: ConsoleContext,
  request: Pick<PageRequest, "root" | "query">,
  rejected?: Rejected,
): Promise<Reply> => {
  const { root, query } = request
  const now = context.pix.clock.now()
  const choice = readChoice(query)
  const inAWeek = addDays(brasiliaDate(now), 7)
  const form = rejected?.form ?? { id: randomUUID(), dueDate: inAWeek }
  const fields = await formFields(context, "")
  const exception = await findException(context, choice.text)
  return frame(context, request, {
    title: "Charges",
    section: "charges",
    path: "",
    ...(rejected !== undefined && { status: 422, notice: { tone: "bad", text: rejected.problem } }),
    content: html`<h1 class="visually-hidden">Charges of ${context.company.name}</h1>
      <div class="columns">
        ${fold(
          "Issue a charge",
          html`<div class="stack">
            ${issueForm({ root, form, fees: context.company.fees, fields })} ${manyForm(root, inAWeek, fields)}
            ${seedCard(root, fields)}
          </div>`,
          { isOpen: rejected !== undefined },
        )}
        <section class="stack" aria-labelledby="charges-title">
          <div class="row row-spread">
            <h2 id="charges-title">Charges</h2>
            ${fold("Search", filterForm(root, choice), { isOpen: choice.text !== "" || choice.status !== undefined })}
          </div>
          <div id="charge-list" class="stack" data-live>
            ${exception && exceptionCard(root, exception, fields)} ${await chargeList(context, root, choice)}
          </div>
        </section>
      </div>`,
  })
}

const seedCard = (root: string, fields: Html): Html =>
  html`<form
    method="post"
    action="${root}console/seed"
    class="card"
    aria-labelledby="seed-title"
    data-busy="Making a month of charges…"
  >
    <h2 id="seed-title">A month of charges</h2>
    <p class="muted">
      Thirty days with paid, late, expired, cancelled and refunded charges, exceptions and dead letters, so that lists
      and the portal have something to show. The same number makes the same month. While it is made, business time is in
      the past.
    </p>
    ${fields}
    <div class="row row-end">
      <div class="field">
        <label for="seed">Number</label>
        <input id="seed" name="seed" value="1" inputmode="numeric" autocomplete="off" />
      </div>
      <button class="button">Make it</button>
    </div>
  </form>`

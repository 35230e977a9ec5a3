import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import type { Reply } from "@pixcharge/core"
import type { PlainCharge } from "@pixcharge/embed"
import { fold, type Form, type Html, html, type PageRequest } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import type { ConsoleContext } from "../ConsoleContext.ts"
import { formFields } from "./formToken.ts"
import { formats, frame } from "./frame.ts"
import { issueForm } from "./issueForm.ts"
import { seedCard } from "./seedCard.ts"
import { chargeBadge } from "./statusBadge.ts"

const listedDays = 366
const maxListed = 20

/** A form with a problem. */
export interface Rejected {
  readonly form: Form
  readonly problem: string
}

const chargeRow = (root: string, charge: PlainCharge): Html =>
  html`<tr>
    <td><a class="mono" href="${root}console/charges/${charge.id}">${charge.id.slice(0, 8)}</a></td>
    <td class="moment">${formats.dateTime(charge.createdAt)}</td>
    <td data-on-phone="rest">${charge.dueDate === undefined ? "immediate" : formats.day(charge.dueDate)}</td>
    <td data-on-phone="title" class="number">${formats.reais(charge.amountCents)}</td>
    <td data-on-phone="status">${chargeBadge(charge.status)}</td>
  </tr>`

const chargeList = async ({ pix, company }: ConsoleContext, root: string, text: string): Promise<Html> => {
  const now = pix.clock.now()
  const { items } = await pix.charges(
    company.cnpj,
    { from: now - listedDays * 86_400_000, until: now + 1, ...(text !== "" && { text }) },
    { limit: maxListed },
  )
  if (items.length === 0) {
    return html`<p class="empty">
      ${text === "" ? "No charge yet: issue one by the form, or let a month of them be made." : `No charge has “${text}”.`}
    </p>`
  }
  return html`<div class="table-scroll">
    <table class="table table-stacked">
      <caption>
        The newest ${items.length} of the last 12 months
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
  </div>`
}

/** `pix.charges` searches for two characters at least. */
const searchText = (query: URLSearchParams): string => {
  const text = (query.get("q") ?? "").trim()
  return text.length < 2 || text.length > 200 ? "" : text
}

/** The form that issues, and the newest charges. */
export const homePage = async (
  context: ConsoleContext,
  request: Pick<PageRequest, "root" | "query">,
  rejected?: Rejected,
): Promise<Reply> => {
  const { root, query } = request
  const now = context.pix.clock.now()
  const text = searchText(query)
  const form = rejected?.form ?? {
    id: randomUUID(),
    dueDate: addDays(brasiliaDate(now), 7),
  }
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
            ${issueForm({ root, form, fees: context.company.fees, fields: await formFields(context, "") })}
            ${seedCard(root, await formFields(context, ""))}
          </div>`,
          { isOpen: rejected !== undefined },
        )}
        <section class="stack" aria-labelledby="charges-title">
          <div class="row row-spread">
            <h2 id="charges-title">Charges</h2>
            <form method="get" action="${root}" role="search" class="row search">
              <label class="visually-hidden" for="q">Id, txid or payer</label>
              <input id="q" name="q" type="search" value="${text}" placeholder="Id, txid or payer" />
              <button class="button button-small">Search</button>
            </form>
          </div>
          <div id="charge-list" data-live>${await chargeList(context, root, text)}</div>
        </section>
      </div>`,
  })
}

import type { DeliveryStatus, Reply } from "@pixcharge/core"
import { type Html, html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"
import { deliveryTable } from "./deliveryTable.ts"
import { formFields } from "./formToken.ts"
import { frame } from "./frame.ts"

const maxListed = 25
const statuses: ReadonlyArray<DeliveryStatus> = ["waiting", "delivered", "dead", "superseded"]

const receiverCard = (context: ConsoleContext, root: string, fields: Html): Html => {
  const { isFailing } = context.receiver
  return html`<section class="card" aria-labelledby="receiver-title" id="receiver" data-live>
    <h2 id="receiver-title">
      The receiver
      <span class="badge" data-tone="${isFailing ? "bad" : "good"}">${isFailing ? "answers 500" : "answers 200"}</span>
    </h2>
    <p class="muted">
      An integrator's app as it should be: it verifies each event by <code>@pixcharge/callback-fetch/receiver</code>.
      Make it fail to see retries; move the clock on to bring them forward.
    </p>
    <div class="row">
      <form method="post" action="${root}console/switch" data-busy>
        ${fields}
        <button class="button button-small" name="failing" value="${isFailing ? "no" : "yes"}" id="switch">
          ${isFailing ? "Let it take events" : "Let it fail"}
        </button>
      </form>
      <form method="post" action="${root}console/ping" data-busy>
        ${fields}<button class="button button-small" id="ping">Send a test event</button>
      </form>
    </div>
  </section>`
}

/** The events that were sent, and the receiver. */
export const eventsPage = async (context: ConsoleContext, request: PageRequest<"/console/events">): Promise<Reply> => {
  const { root, query } = request
  const status = statuses.find((known) => known === query.get("status"))
  const { items } = await context.pix.events.list(
    context.company.cnpj,
    { ...(status !== undefined && { status }) },
    { limit: maxListed },
  )
  return frame(context, request, {
    title: "Events",
    section: "events",
    path: "console/events",
    content: html`<h1>Events</h1>
      ${receiverCard(context, root, await formFields(context, "console/events"))}
      <form method="get" action="${root}console/events" class="row row-end">
        <div class="field">
          <label for="status">Status</label>
          <select id="status" name="status">
            <option value="">all</option>
            ${statuses.map((known) => html`<option ${known === status ? "selected" : ""}>${known}</option>`)}
          </select>
        </div>
        <button class="button">Show</button>
      </form>
      <div id="event-list" data-live>${deliveryTable(root, items, "No event yet: pay a charge.")}</div>`,
  })
}

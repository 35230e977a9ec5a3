import type { DeliveryRecord, DeliveryStatus, Reply } from "@pixcharge/core"
import { type Html, html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { formats, formFields, frame } from "./frame.ts"
import { attemptBadge, deliveryBadge } from "./parts.ts"

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
      It plays an integrator's app, and verifies each event with <code>@pixcharge/callback-fetch/receiver</code>. Let it
      fail to see retries; move the clock to get them sooner.
    </p>
    <div class="row">
      <form method="post" action="${root}console/switch" data-busy>
        ${fields}
        <button class="button button-small" name="failing" value="${isFailing ? "no" : "yes"}" id="switch">
          ${isFailing ? "Let it accept events" : "Let it fail"}
        </button>
      </form>
      <form method="post" action="${root}console/ping" data-busy>
        ${fields}<button class="button button-small" id="ping">Send a test event</button>
      </form>
    </div>
  </section>`
}

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

const row = (root: string, delivery: DeliveryRecord): Html => {
  const { event, endpointId, status, attempts, nextAt, lastAttempt } = delivery
  return html`<tr>
    <td data-on-phone="title"><a href="${root}console/events/${event.id}">${event.kind}</a></td>
    <td class="moment">${formats.dateTime(event.occurredAt)}</td>
    <td data-on-phone="rest" class="mono receiver">${endpointId}</td>
    <td class="number" data-label="Attempts">${attempts}</td>
    <td>${lastAttempt === undefined ? "none yet" : attemptBadge(lastAttempt)}</td>
    <td data-on-phone="status">
      ${deliveryBadge(status)}
      ${status === "waiting" && nextAt !== undefined && attempts > 0 && html`<small>again ${formats.dateTime(nextAt)}</small>`}
    </td>
  </tr>`
}

/** A table of deliveries, or a text for an empty list. */
export const deliveryTable = (root: string, deliveries: ReadonlyArray<DeliveryRecord>, none: string): Html =>
  deliveries.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<div class="table-scroll">
        <table class="table table-stacked">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">At</th>
              <th scope="col">To</th>
              <th scope="col" class="number">Attempts</th>
              <th scope="col">Last answer</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            ${deliveries.map((delivery) => row(root, delivery))}
          </tbody>
        </table>
      </div>`

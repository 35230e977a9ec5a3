import type { DeliveryAttempt, DeliveryRecord, Reply } from "@pixcharge/core"
import { eventChargeId, type PixEvent } from "@pixcharge/core/charges"
import { type Html, html, type HtmlChild, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import type { ReceivedDelivery } from "../receiver/EventReceiver.ts"
import { exceptionCard } from "./exceptionCard.ts"
import { formats, formFields, frame } from "./frame.ts"
import { sentencePage } from "./failurePage.ts"
import { attemptBadge, deliveryBadge, headerList, httpBadge, readable } from "./parts.ts"

const attemptRow = (attempt: DeliveryAttempt): Html =>
  html`<tr>
    <td>${formats.dateTime(attempt.startedAt)}</td>
    <td class="number">${attempt.latencyMs} ms</td>
    <td>${attemptBadge(attempt)}</td>
    <td>${attempt.error ?? attempt.answer ?? ""}</td>
  </tr>`

const deliveryCard = async (
  { pix, company }: ConsoleContext,
  root: string,
  fields: Html,
  { event, endpointId, status, reason }: DeliveryRecord,
): Promise<Html> => {
  const attempts = await pix.events.attempts(company.cnpj, event.id, endpointId)
  return html`<section class="card" aria-label="Delivery to ${endpointId}">
    <div class="row row-spread">
      <h2><span class="mono">${endpointId}</span> ${deliveryBadge(status)}</h2>
      ${
        (status === "delivered" || status === "dead") &&
        html`<form method="post" action="${root}console/events/${event.id}/resend" data-busy>
          ${fields}<button class="button button-small" id="resend-${endpointId}">Send again</button>
        </form>`
      }
    </div>
    ${reason !== undefined && html`<p>The delivery was given up: ${reason}.</p>`}
    ${
      attempts.length === 0
        ? html`<p class="muted">No attempt yet.</p>`
        : html`<div class="table-scroll" tabindex="0" role="region" aria-label="Attempts at ${endpointId}">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Attempt at</th>
                  <th scope="col" class="number">Took</th>
                  <th scope="col">Answer</th>
                  <th scope="col">Body or error</th>
                </tr>
              </thead>
              <tbody>
                ${attempts.map(attemptRow)}
              </tbody>
            </table>
          </div>`
    }
  </section>`
}

const verdicts: Readonly<Record<ReceivedDelivery["verdict"], string>> = {
  verified: "Its signature is valid and recent.",
  unsigned: "It has no signature, or a malformed signature.",
  forged: "Its signature wasn't made with this receiver's secret.",
  stale: "Its signature's time differs by more than five minutes.",
  malformed: "Its signature is valid, but its body isn't an event.",
}

const arrival = ({ number, at, headers, body, verdict, status }: ReceivedDelivery): Html =>
  html`<article class="card" aria-labelledby="arrival-${number}">
    <div class="row row-spread">
      <h3 id="arrival-${number}">Arrived ${formats.dateTime(at)}</h3>
      <p class="row">
        <span class="badge" data-tone="${verdict === "verified" ? "good" : "bad"}">${verdict}</span>
        <span class="muted">answered</span> ${httpBadge(status)}
      </p>
    </div>
    <p>${verdicts[verdict]}</p>
    ${headerList(headers, "Headers as they arrived")}
    <pre class="code" tabindex="0" role="region" aria-label="Body as it arrived">${body}</pre>
    <details>
      <summary>The body with one line for each field</summary>
      <pre class="code" tabindex="0" role="region" aria-label="Body by fields">${readable(body)}</pre>
    </details>
  </article>`

/** Searches all deliveries, because they can't be listed by event. */
const listDeliveries = async (
  { pix, company }: ConsoleContext,
  eventId: string,
): Promise<ReadonlyArray<DeliveryRecord>> => {
  const found: Array<DeliveryRecord> = []
  for (let cursor: string | undefined; ;) {
    const page = await pix.events.list(company.cnpj, {}, { limit: 1_000, ...(cursor !== undefined && { cursor }) })
    found.push(...page.items.filter(({ event }) => event.id === eventId))
    cursor = page.cursor
    if (found.length > 0 || cursor === undefined) return found
  }
}

const subject = (root: string, event: PixEvent): HtmlChild => {
  const chargeId = eventChargeId(event)
  const payment = "exception" in event ? event.exception : event.payment
  return [
    chargeId !== undefined &&
      html`<dt>Charge</dt>
        <dd><a class="mono" href="${root}console/charges/${chargeId}">${chargeId}</a></dd>`,
    payment !== undefined &&
      html`<dt>Payment</dt>
        <dd><span class="money">${formats.reais(payment.amountCents)}</span></dd>`,
  ]
}

const decideException = async ({ pix, company }: ConsoleContext, root: string, id: string, fields: Html) =>
  exceptionCard(root, await pix.exceptions.find(company.cnpj, id), fields)

export const eventPage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/events/:eventId">,
): Promise<Reply> => {
  const { root, params } = request
  const deliveries = await listDeliveries(context, params.eventId)
  const [first] = deliveries
  if (first === undefined) return sentencePage(request.root, 404, "There is no such event.")
  const { event } = first
  const path = `console/events/${event.id}`
  const fields = await formFields(context, path)
  const cards = await Promise.all(deliveries.map((delivery) => deliveryCard(context, root, fields, delivery)))
  const arrivals = context.receiver.list().filter(({ eventId }) => eventId === event.id)
  return frame(context, request, {
    title: `Event ${event.kind}`,
    section: "events",
    path,
    content: html`<h1>Event <span class="mono">${event.kind}</span></h1>
      <dl class="facts">
        <dt>Id</dt>
        <dd class="mono">${event.id}</dd>
        <dt>At</dt>
        <dd>${formats.dateTime(event.occurredAt)}</dd>
        ${subject(root, event)}
      </dl>
      ${"exception" in event && html`<div id="exception" data-live>${await decideException(context, root, event.exception.endToEndId, fields)}</div>`}
      <div class="stack" id="deliveries" data-live>${cards}</div>
      <section class="stack" aria-labelledby="arrivals-title" id="arrivals" data-live>
        <h2 id="arrivals-title">As the receiver got it</h2>
        ${
          arrivals.length === 0
            ? html`<p class="empty">The console's receiver hasn't got this event since its start.</p>`
            : arrivals.map(arrival)
        }
      </section>`,
  })
}

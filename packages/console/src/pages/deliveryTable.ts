import type { DeliveryRecord } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import { formats } from "./frame.ts"
import { attemptBadge, deliveryBadge } from "./statusBadge.ts"

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

/** A table of deliveries, or the sentence `none` if there are none. */
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

import type { DeliveryRecord } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import { formats } from "./frame.ts"
import { deliveryBadge, httpBadge } from "./statusBadge.ts"

const row = (root: string, delivery: DeliveryRecord): Html => {
  const { event, endpointId, status, attempts, nextAt, lastAttempt } = delivery
  return html`<tr>
    <td><a href="${root}console/events/${event.id}">${event.kind}</a></td>
    <td data-label="At">${formats.dateTime(event.occurredAt)}</td>
    <td data-label="To" class="mono">${endpointId}</td>
    <td data-label="Attempts" class="number">${attempts}</td>
    <td data-label="Last answer">${lastAttempt === undefined ? "none yet" : httpBadge(lastAttempt.status)}</td>
    <td data-label="Status">
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

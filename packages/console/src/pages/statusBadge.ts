import type { DeliveryAttempt, DeliveryStatus } from "@pixcharge/core"
import type { ChargeStatus } from "@pixcharge/core/charges"
import type { RecurrenceStatus } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"

const chargeTones: Readonly<Record<ChargeStatus, string>> = {
  pending: "info",
  paid: "good",
  expired: "warn",
  cancelled: "neutral",
  refunding: "warn",
  refunded: "neutral",
  failed: "bad",
}

/** The status of a charge. */
export const chargeBadge = (status: ChargeStatus): Html =>
  html`<span class="badge" data-tone="${chargeTones[status]}">${status}</span>`

const recurrenceTones: Readonly<Record<RecurrenceStatus, string>> = {
  requested: "info",
  offered: "info",
  approved: "good",
  ending: "warn",
  ended: "neutral",
}

/** The status of a recurrence. */
export const recurrenceBadge = (status: RecurrenceStatus): Html =>
  html`<span class="badge" data-tone="${recurrenceTones[status]}">${status}</span>`

const deliveryTones: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "info",
  delivered: "good",
  dead: "bad",
  superseded: "neutral",
}

/** The status of a delivery. */
export const deliveryBadge = (status: DeliveryStatus): Html =>
  html`<span class="badge" data-tone="${deliveryTones[status]}">${status}</span>`

/** How an attempt at a delivery went. A function of the host has no HTTP status: it took the event, or failed. */
export const attemptBadge = ({ status, error }: Pick<DeliveryAttempt, "status" | "error">): Html =>
  status === undefined && error === undefined
    ? html`<span class="badge" data-tone="good">taken</span>`
    : httpBadge(status)

/** The status of an HTTP answer. */
export const httpBadge = (status: number | undefined): Html =>
  status === undefined
    ? html`<span class="badge">no answer</span>`
    : html`<span class="badge" data-tone="${status < 300 ? "good" : status < 500 ? "warn" : "bad"}">${status}</span>`

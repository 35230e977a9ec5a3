import { type Html, html, type HtmlChild } from "@pixcharge/web"
import type { Tone } from "../../parts/badge.ts"
import { formats } from "../../parts/formats.ts"
import type { PlainStoryEntry } from "@pixcharge/embed"
import {
  auditTexts,
  deliveryStatusTexts,
  eventTexts,
  exceptionReasonTexts,
  otherAuditText,
  refundStatusTexts,
  returnKindTexts,
  storyTexts,
} from "./storyTexts.ts"

/** One thing that happened, in words. */
interface Told {
  readonly title: string
  readonly details?: ReadonlyArray<HtmlChild>
  readonly tone?: Tone
}

const code = (text: string): Html => html`<span class="mono">${text}</span>`

const refundTones = { refunding: "info", returned: "good", failed: "bad" } as const

/** How an attempt went: the host's own function answers with no status, and has taken the event unless there is an error. */
const tellAttempt = ({ endpointId, attempt }: Extract<PlainStoryEntry, { kind: "attempt" }>): Told => {
  const { status, error, latencyMs } = attempt
  const answered = status === undefined ? undefined : storyTexts.answered(status)
  return {
    title: storyTexts.attempt(endpointId),
    details: [
      answered ?? (error === undefined ? storyTexts.taken : storyTexts.noAnswer),
      error,
      storyTexts.took(latencyMs),
    ],
    tone: error === undefined && (status ?? 200) < 300 ? "good" : "warn",
  }
}

const tellRefund = (title: string, status: keyof typeof refundStatusTexts, reason: string | undefined): Told => ({
  title,
  details: [refundStatusTexts[status], reason !== undefined && `${storyTexts.reason}: ${reason}`],
  tone: refundTones[status],
})

const tell = (entry: PlainStoryEntry): Told => {
  switch (entry.kind) {
    case "issued":
      return {
        title: storyTexts.issued(formats.reais(entry.amountCents)),
        details: [entry.dueDate !== undefined && storyTexts.dueOn(formats.day(entry.dueDate))],
      }
    case "paid":
      return {
        title: storyTexts.paid(formats.reais(entry.payment.amountCents)),
        details: [code(entry.payment.endToEndId)],
        tone: "good",
      }
    case "exception":
      return {
        title: storyTexts.exception(formats.reais(entry.exception.payment.amountCents)),
        details: [exceptionReasonTexts[entry.exception.reason], code(entry.exception.payment.endToEndId)],
        tone: "warn",
      }
    case "exceptionRefund":
      return tellRefund(storyTexts.exceptionRefund, entry.status, entry.reason)
    case "exceptionResolved":
      return { title: storyTexts.exceptionResolved, details: [`${storyTexts.note}: ${entry.note}`] }
    case "refund":
      return tellRefund(storyTexts.refund(formats.reais(entry.amountCents)), entry.status, entry.reason)
    case "partialRefund": {
      const { amountCents, rejection } = entry.partialRefund
      return tellRefund(storyTexts.partialRefund(formats.reais(amountCents)), entry.status, rejection)
    }
    case "return":
      return {
        title: storyTexts.returned(formats.reais(entry.returned.amountCents)),
        details: [returnKindTexts[entry.returned.kind]],
        tone: "warn",
      }
    case "event":
      return {
        title: storyTexts.event(eventTexts[entry.delivery.event.kind], entry.delivery.endpointId),
        details: [deliveryStatusTexts[entry.delivery.status], entry.delivery.reason],
        ...(entry.delivery.status === "dead" && { tone: "bad" }),
      }
    case "attempt":
      return tellAttempt(entry)
    case "audit": {
      const { change, by } = entry.record
      return { title: auditTexts[change.kind] ?? otherAuditText, details: [by !== undefined && storyTexts.by(by)] }
    }
    default:
      return { title: storyTexts[entry.kind] }
  }
}

const isSaid = (detail: HtmlChild): boolean => detail !== undefined && detail !== false && detail !== ""

const item = (entry: PlainStoryEntry): Html => {
  const { title, details = [], tone } = tell(entry)
  const said = details.filter(isSaid)
  return html`<li ${tone !== undefined && html`data-tone="${tone}"`}>
    <span class="timeline-time muted">${formats.dateTime(entry.at)}</span>
    <span class="timeline-title">${title}</span>
    ${
      said.length > 0 &&
      html`<ul class="timeline-details muted">
        ${said.map((detail) => html`<li>${detail}</li>`)}
      </ul>`
    }
  </li>`
}

/** What happened to a charge, the newest first; `entries` come oldest first. */
export const storyList = (entries: ReadonlyArray<PlainStoryEntry>): Html =>
  html`<ol class="timeline" reversed>
    ${entries.toReversed().map(item)}
  </ol>`

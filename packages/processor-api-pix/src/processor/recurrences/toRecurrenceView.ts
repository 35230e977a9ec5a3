import type { Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import type { PspRecurrence } from "../../wire/Rec.ts"

/** Whether a request is before the payer, or was accepted: then the recurrence says more. */
export const isLiveRequest = (status: PspRecurrence["requests"][number]): boolean =>
  status === "open" || status === "accepted" || status === "unknown"

/** What became of an offer by the app of the payer's bank: once its request is over, nobody can authorise it any more. */
const readOffer = ({ status, requests }: PspRecurrence): RecurrenceView["status"] => {
  if (status !== "offered" || requests.some(isLiveRequest)) return status
  return requests.findLast((request) => request === "declined" || request === "expired") ?? status
}

/**
 * The bank's recurrence in the form of core. A code that was asked for without the journey's charge authorises, and pays nothing: it
 * counts for a recurrence that is offered by such a code only.
 */
export const toRecurrenceView = ({ journey }: Recurrence, known: PspRecurrence): RecurrenceView => {
  const { contract: _, location: __, requests: ___, brCode, ...view } = known
  return {
    ...view,
    status: journey.by === "bank" ? readOffer(known) : view.status,
    ...(journey.by === "code" && brCode !== undefined && { brCode }),
  }
}

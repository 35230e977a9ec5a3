import * as Struct from "effect/Struct"
import type { CycleCharge, PendingCharge } from "../charge/Charge.ts"
import type { RecurrenceEvent } from "../charge/PixEvent.ts"
import { addRange, type CycleRange, findOutside } from "../cycle/CycleRange.ts"
import { type CycleSchedule, cycleStart } from "../cycle/cycles.ts"
import type { EndedBy, RecurrenceEnd } from "../cycle/RecurrenceId.ts"
import type {
  EndedRecurrence,
  EndingRecurrence,
  Recurrence,
  RecurrenceView,
  RequestedRecurrence,
} from "./Recurrence.ts"

export type RecurrenceCommand =
  | { readonly _tag: "RecordView"; readonly view: RecurrenceView }
  | { readonly _tag: "RecordRefusal"; readonly code?: string }
  /** `expired`: without the bank's knowledge. */
  | { readonly _tag: "RequestEnd"; readonly reason?: "expired" }
  /** The bank doesn't know the recurrence, and no offer is on its way. */
  | { readonly _tag: "RecordAbsence" }

export interface RecurrenceTransition {
  readonly next?: Recurrence
  readonly publish?: "recurrence-approved" | "recurrence-ended"
}

const stay: RecurrenceTransition = {}

/**
 * Total and pure. Bank views can repeat and come in any order: an ended recurrence stays ended, an approved one isn't
 * offered again, and the company's end isn't undone.
 */
export const decideRecurrence = (
  recurrence: Recurrence,
  command: RecurrenceCommand,
  now: number,
): RecurrenceTransition => {
  if (recurrence._tag === "Ended") return stay
  switch (command._tag) {
    case "RecordView":
      return recordView(recurrence, command.view, now)
    case "RecordRefusal":
      return recurrence._tag === "Requested" || endsUnansweredOffer(recurrence)
        ? end(recurrence, { reason: "refused", by: "companyBank", ...codeIn(command), at: now }, now)
        : stay
    case "RequestEnd":
      return requestEnd(recurrence, command, now)
    case "RecordAbsence":
      return endsUnansweredOffer(recurrence) ? end(recurrence, { reason: "ended", by: "company", at: now }, now) : stay
  }
}

type OpenRecurrence = Exclude<Recurrence, EndedRecurrence> & { readonly bankId?: string }

const endsUnansweredOffer = (recurrence: OpenRecurrence): recurrence is EndingRecurrence =>
  recurrence._tag === "Ending" && recurrence.bankId === undefined

const requestEnd = (
  recurrence: OpenRecurrence,
  { reason }: { readonly reason?: "expired" },
  now: number,
): RecurrenceTransition =>
  recurrence._tag === "Ending"
    ? stay
    : { next: { ...shared(recurrence, now), _tag: "Ending", requestedAt: now, ...(reason && { reason }) } }

const recordView = (recurrence: OpenRecurrence, view: RecurrenceView, now: number): RecurrenceTransition => {
  const { bankId, status } = view
  // An authorisation belongs to one recurrence for ever.
  if (recurrence.bankId !== undefined && recurrence.bankId !== bankId) return stay
  // Only the bank's id is recorded: the call that ends the recurrence needs it.
  if (endsUnansweredOffer(recurrence) && (status === "offered" || status === "approved")) {
    return { next: { ...recurrence, ...stamp(recurrence, now), bankId } }
  }
  switch (status) {
    case "unknown":
      return stay
    case "offered":
      return recordOffer(recurrence, view, now)
    case "approved":
      return recordApproval(recurrence, view, now)
    default:
      return end({ ...recurrence, bankId }, viewedEnd(recurrence, view, status, now), now)
  }
}

const recordOffer = (recurrence: OpenRecurrence, { bankId, brCode }: RecurrenceView, now: number) => {
  const isKnown = recurrence._tag === "Offered" && (brCode === undefined || recurrence.brCode === brCode)
  if (isKnown || recurrence._tag === "Approved" || recurrence._tag === "Ending") return stay
  const next: Recurrence = {
    ...shared(recurrence, now),
    _tag: "Offered",
    bankId,
    ...(brCode !== undefined && { brCode }),
  }
  return { next }
}

const recordApproval = (recurrence: OpenRecurrence, { bankId, at }: RecurrenceView, now: number) => {
  if (recurrence._tag === "Approved" || recurrence._tag === "Ending") return stay
  const next: Recurrence = { ...shared(recurrence, now), _tag: "Approved", bankId, approvedAt: at ?? now }
  return { next, publish: "recurrence-approved" as const }
}

/** A requested end counts as the company's unless the bank names someone else. */
const viewedEnd = (
  recurrence: OpenRecurrence,
  { at, by, code }: RecurrenceView,
  status: "declined" | "expired" | "cancelled",
  now: number,
): RecurrenceEnd => {
  const named: EndedBy | undefined = by ?? (status === "declined" ? "payer" : undefined)
  const isOurs = recurrence._tag === "Ending" && status === "cancelled"
  if (isOurs && recurrence.reason === "expired") return { reason: "expired", at: at ?? now }
  const whose = named ?? (isOurs ? "company" : undefined)
  return {
    reason: status === "cancelled" ? "ended" : status,
    ...(whose !== undefined && { by: whose }),
    ...codeIn({ code }),
    at: at ?? now,
  }
}

const end = (recurrence: OpenRecurrence, facts: RecurrenceEnd, now: number) => ({
  next: { ...shared(recurrence, now), _tag: "Ended" as const, end: facts },
  publish: "recurrence-ended" as const,
})

const codeIn = ({ code }: { readonly code?: string | undefined }) => (code === undefined ? {} : { code })

const stamp = ({ version }: Recurrence, now: number) => ({ version: version + 1, updatedAt: now })

type SharedFields = Omit<RequestedRecurrence, "_tag"> & { readonly bankId?: string }

const ownFields = ["_tag", "brCode", "approvedAt", "requestedAt", "reason"] as const

const shared = (recurrence: OpenRecurrence, now: number): SharedFields => ({
  ...Struct.omit(recurrence as SharedFields & Record<(typeof ownFields)[number], unknown>, ownFields),
  ...stamp(recurrence, now),
})

export type RecurrenceNews<Event extends RecurrenceEvent = RecurrenceEvent> = Event extends RecurrenceEvent
  ? Omit<Event, "id" | "issuer" | "companyName" | "occurredAt" | "recurrence">
  : never

export interface RecurrenceMove {
  readonly next?: Recurrence
  readonly charge?: CycleCharge<PendingCharge>
  readonly news?: RecurrenceNews
}

/** Total and pure. `now` is in epoch milliseconds. */
export type RecurrenceDecision = (recurrence: Recurrence, now: number) => RecurrenceMove

export const byCommand =
  (command: RecurrenceCommand): RecurrenceDecision =>
  (recurrence, now) => {
    const { next, publish } = decideRecurrence(recurrence, command, now)
    if (next === undefined) return {}
    if (publish === undefined) return { next }
    if (next._tag !== "Ended") return { next, news: { kind: "recurrence-approved" } }
    const { at: _, ...facts } = next.end
    return { next, news: { kind: "recurrence-ended", end: facts } }
  }

/** Continues with the next cycle, unless the recurrence has changed since it was read. */
export const passCycle =
  (seen: Recurrence, cycle: number, isMissed: boolean): RecurrenceDecision =>
  (recurrence, now) => {
    if (recurrence._tag !== seen._tag || recurrence.nextCycle !== cycle) return {}
    const next: Recurrence = { ...recurrence, ...stamp(recurrence, now), nextCycle: cycle + 1 }
    if (!isMissed) return { next }
    return { next, news: { kind: "payment-failed", cycle, reason: "missed", on: cycleStart(recurrence, cycle) } }
  }

/** Asks the host for an open cycle's amount, once. */
export const askAmount =
  ({ cycle, dueDate, closesAt: chargeableUntil }: CycleSchedule): RecurrenceDecision =>
  (recurrence, now) => {
    const { _tag: state, nextCycle, announcedCycle } = recurrence
    if (state !== "Approved" || nextCycle > cycle || announcedCycle === cycle) return {}
    const next: Recurrence = { ...recurrence, ...stamp(recurrence, now), announcedCycle: cycle }
    return { next, news: { kind: "cycle-due", cycle, dueDate, chargeableUntil } }
  }

export const skipCycles =
  (cycles: CycleRange): RecurrenceDecision =>
  (recurrence, now) => {
    const { _tag: state, skipped = [] } = recurrence
    const [from, to] = cycles
    if (state === "Ended" || findOutside(skipped, from) > to) return {}
    return { next: { ...recurrence, ...stamp(recurrence, now), skipped: addRange(skipped, cycles) } }
  }

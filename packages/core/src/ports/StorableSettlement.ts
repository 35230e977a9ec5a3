import { isStorableMoment } from "../runtime/storable/StorableMoment.ts"
import { storableText } from "../runtime/storable/StorableText.ts"
import type { DeliveryAttempt, DeliveryFate, Settlement } from "./Outbox.ts"

const momentOr = (moment: number, otherwise: number): number => (isStorableMoment(moment) ? moment : otherwise)

const storableFate = (fate: DeliveryFate, now: number): DeliveryFate => {
  if (fate._tag === "Retry") return { _tag: "Retry", at: momentOr(fate.at, now) }
  return fate._tag === "Dead" ? { _tag: "Dead", reason: storableText(fate.reason) } : fate
}

const storableAttempt = (attempt: DeliveryAttempt, now: number): DeliveryAttempt => {
  const { startedAt, latencyMs, status, error, answer } = attempt
  return {
    startedAt: momentOr(startedAt, now),
    latencyMs: Number.isFinite(latencyMs) ? latencyMs : 0,
    // Of 32 bits.
    ...(status !== undefined && (status | 0) === status && { status }),
    ...(error !== undefined && { error: storableText(error) }),
    ...(answer !== undefined && { answer: storableText(answer) }),
  }
}

/**
 * The settlement without what no store can keep: characters are replaced, a status is left out, a moment becomes `now`
 * and a latency 0. For stores: an attempt that could never be recorded would delay all that is settled with it.
 */
export const storableSettlement = (settlement: Settlement, now: number): Settlement => {
  const { fate, attempt } = settlement
  return {
    ...settlement,
    fate: storableFate(fate, now),
    attempt: storableAttempt(attempt, now),
  }
}

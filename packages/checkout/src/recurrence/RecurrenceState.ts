import { type AnyState, hashShown } from "../state/State.ts"
import { type RecurrenceFacts, recurrenceFacts } from "../wire/RecurrenceFacts.ts"
import type { RecurrenceSnapshot } from "./RecurrenceSnapshot.ts"

/** A recurrence's snapshot with its id. */
export interface RecurrenceState extends AnyState {
  readonly snapshot: RecurrenceSnapshot
  readonly facts: RecurrenceFacts
}

/** Makes a snapshot's wire form, and the id of all that its page shows. */
export const makeRecurrenceState = (snapshot: RecurrenceSnapshot): RecurrenceState => ({
  snapshot,
  id: hashShown(snapshot),
  facts: recurrenceFacts(snapshot),
})

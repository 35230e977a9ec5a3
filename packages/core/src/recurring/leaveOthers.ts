import * as Effect from "effect/Effect"
import { ProcessorUnavailable } from "../ports/portErrors.ts"
import type { RecurrenceProcessor } from "../ports/RecurrenceProcessor.ts"
import type { RecurrenceStore } from "../ports/RecurrenceStore.ts"
import type { Recurrence } from "../recurrence/rules/Recurrence.ts"

/** A recurrence that is in another company's books is that company's, also where the bank shows it by a contract of both. */
export const leaveOthers = (
  processor: RecurrenceProcessor["Service"],
  store: RecurrenceStore["Service"],
): RecurrenceProcessor["Service"] => {
  const othersOf = ({ issuer, contract }: Recurrence) =>
    Effect.mapError(
      store.bankIdsOfOthers(issuer, contract),
      (cause) => new ProcessorUnavailable({ operation: "lookupRecurrence", cause }),
    )
  return {
    ...processor,
    offer: (order) => processor.offer({ ...order, others: othersOf(order.recurrence) }),
    lookup: (recurrence) => processor.lookup(recurrence, othersOf(recurrence)),
  }
}

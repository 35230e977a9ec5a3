import * as Effect from "effect/Effect"
import { type CycleCharge, isCycleCharge } from "../model/charge/Charge.ts"
import type { CompanyDirectory } from "./CompanyDirectory.ts"
import type { CancelOutcome, PaymentProcessor } from "./PaymentProcessor.ts"
import { ProcessorUnavailable } from "./portErrors.ts"
import type { RecurrenceProcessor } from "./RecurrenceProcessor.ts"
import { storableView } from "./storableProcessor.ts"

const storableOutcome = (outcome: CancelOutcome): CancelOutcome =>
  outcome._tag === "Paid" ? { ...outcome, view: storableView(outcome.view) } : outcome

const missing = (operation: "lookup" | "cancel") =>
  Effect.suspend(() =>
    Effect.fail(new ProcessorUnavailable({ operation, cause: "the host has no processor of recurrences" })),
  )

/**
 * Takes a cycle's charge back. One of which the bank may not have heard is made known to it first: an order that is still on its way
 * would be taken after the cancellation, and debited. An order that the bank refuses now it refuses later, too.
 */
const makeCancel = (debits: RecurrenceProcessor["Service"], directory: CompanyDirectory["Service"]) =>
  Effect.fnUntraced(function* (charge: CycleCharge) {
    if (charge._tag === "Pending" && charge.debit?.status === "requested") {
      const entry = yield* Effect.mapError(
        directory.find(charge.issuer),
        (cause) => new ProcessorUnavailable({ operation: "cancel", cause }),
      )
      if (entry === undefined) return yield* new ProcessorUnavailable({ operation: "cancel", cause: "no such company" })
      yield* Effect.catchTag(debits.charge({ company: entry.company, charge }), "ProcessorRejected", () => Effect.void)
    }
    return storableOutcome(yield* debits.cancelCharge(charge))
  })

/**
 * The processor, with cycles' charges looked up and cancelled where debits are. A host without recurrences has no `debits`, and its
 * calls for such charges fail.
 */
export const byKind = (
  processor: PaymentProcessor["Service"],
  debits: RecurrenceProcessor["Service"] | undefined,
  directory: CompanyDirectory["Service"],
): PaymentProcessor["Service"] => {
  const cancelDebit = debits === undefined ? () => missing("cancel") : makeCancel(debits, directory)
  return {
    ...processor,
    lookup: (charge) => {
      if (!isCycleCharge(charge)) return processor.lookup(charge)
      return debits === undefined ? missing("lookup") : Effect.map(debits.lookupCharge(charge), storableView)
    },
    cancel: (charge) => (isCycleCharge(charge) ? cancelDebit(charge) : processor.cancel(charge)),
  }
}

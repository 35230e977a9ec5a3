import * as Effect from "effect/Effect"
import type { Charge } from "../charges/rules/Charge.ts"
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

/** The processor with texts that every store can keep, and with cycles' charges looked up and cancelled where debits are; a host without recurrences has none. */
export const byKind = (
  processor: PaymentProcessor["Service"],
  debits: RecurrenceProcessor["Service"] | undefined,
): PaymentProcessor["Service"] => {
  const isDebited = ({ cycle }: Charge) => cycle !== undefined
  return {
    ...processor,
    lookup: (charge) => {
      if (!isDebited(charge)) return processor.lookup(charge)
      return debits === undefined ? missing("lookup") : Effect.map(debits.lookupCharge(charge), storableView)
    },
    cancel: (charge) => {
      if (!isDebited(charge)) return processor.cancel(charge)
      return debits === undefined ? missing("cancel") : Effect.map(debits.cancelCharge(charge), storableOutcome)
    },
  }
}

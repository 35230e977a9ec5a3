import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CycleCharge, isCycleCharge } from "../../model/charge/Charge.ts"
import { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { ChargeLists } from "../../ports/ChargeLists.ts"
import { ChargeStore } from "../../ports/ChargeStore.ts"
import { CompanyDirectory, HolidayCalendar } from "../../ports/CompanyDirectory.ts"
import { DueChecks } from "../../ports/DueChecks.ts"
import { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { type CancelOutcome, PaymentProcessor, TransactionIds } from "../../ports/PaymentProcessor.ts"
import { Reconciliations } from "../../ports/Reconciliations.ts"
import { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { storableProcessor, storableView } from "../../ports/storableProcessor.ts"
import { OutboxSignal } from "../events/OutboxSignal.ts"
import { PublishedKinds } from "../events/PublishedKinds.ts"

export const chargePorts = Effect.gen(function* () {
  const directory = yield* CompanyDirectory
  const debits = Option.getOrUndefined(yield* Effect.serviceOption(RecurrenceProcessor))
  return {
    store: yield* ChargeStore,
    directory,
    lists: yield* ChargeLists,
    exceptions: yield* ExceptionStore,
    dueChecks: yield* DueChecks,
    endpoints: yield* CallbackEndpoints,
    published: yield* PublishedKinds,
    signal: yield* OutboxSignal,
    processor: byKind(storableProcessor(yield* PaymentProcessor), debits, directory),
    calendar: yield* HolidayCalendar,
    transactionIds: yield* TransactionIds,
    reconciliations: yield* Reconciliations,
    recurrences: yield* RecurrenceStore,
  }
})

export type ChargePorts = Effect.Success<typeof chargePorts>

const byKind = (
  processor: PaymentProcessor["Service"],
  debits: RecurrenceProcessor["Service"] | undefined,
  directory: CompanyDirectory["Service"],
): PaymentProcessor["Service"] => {
  const cancelDebit = debits === undefined ? () => missing("cancel") : makeCancel(debits, directory)
  return {
    ...processor,
    lookup: (charge, revision) => {
      if (!isCycleCharge(charge)) return processor.lookup(charge, revision)
      return debits === undefined ? missing("lookup") : Effect.map(debits.lookupCharge(charge), storableView)
    },
    cancel: (charge) => (isCycleCharge(charge) ? cancelDebit(charge) : processor.cancel(charge)),
  }
}

/**
 * Registers a cycle's charge first if the bank may not know it: an order still on its way would arrive after the cancellation and
 * be debited.
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

const storableOutcome = (outcome: CancelOutcome): CancelOutcome =>
  outcome._tag === "Paid" ? { ...outcome, view: storableView(outcome.view) } : outcome

const missing = (operation: "lookup" | "cancel") =>
  Effect.suspend(() =>
    Effect.fail(new ProcessorUnavailable({ operation, cause: "the host has no processor of recurrences" })),
  )

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { byKind } from "../../ports/byKind.ts"
import { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import { OutboxSignal } from "../events/OutboxSignal.ts"
import { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { ChargeStore } from "../../ports/ChargeStore.ts"
import { CompanyDirectory, HolidayCalendar } from "../../ports/CompanyDirectory.ts"
import { DueChecks } from "../../ports/DueChecks.ts"
import { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { PaymentProcessor } from "../../ports/PaymentProcessor.ts"
import { PixCharges } from "../charges/PixCharges.ts"
import { storableProcessor } from "../../ports/storableProcessor.ts"

/** What the checks and comparisons of the `Reconciler` need. */
export const reconcilerPorts = Effect.gen(function* () {
  const directory = yield* CompanyDirectory
  const debits = Option.getOrUndefined(yield* Effect.serviceOption(RecurrenceProcessor))
  return {
    store: yield* ChargeStore,
    directory,
    dueChecks: yield* DueChecks,
    exceptions: yield* ExceptionStore,
    endpoints: yield* CallbackEndpoints,
    signal: yield* OutboxSignal,
    processor: byKind(storableProcessor(yield* PaymentProcessor), debits, directory),
    calendar: yield* HolidayCalendar,
    charges: yield* PixCharges,
  }
})

export type ReconcilerPorts = Effect.Success<typeof reconcilerPorts>

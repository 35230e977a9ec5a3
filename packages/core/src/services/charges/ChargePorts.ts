import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { byKind } from "../../ports/byKind.ts"
import { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { ChargeLists } from "../../ports/ChargeLists.ts"
import { ChargeStore } from "../../ports/ChargeStore.ts"
import { CompanyDirectory, HolidayCalendar } from "../../ports/CompanyDirectory.ts"
import { DueChecks } from "../../ports/DueChecks.ts"
import { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { PaymentProcessor, TransactionIds } from "../../ports/PaymentProcessor.ts"
import { Reconciliations } from "../../ports/Reconciliations.ts"
import { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { OutboxSignal } from "../events/OutboxSignal.ts"
import { storableProcessor } from "../../ports/storableProcessor.ts"

/** The ports behind the operations of `PixCharges`. */
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
    signal: yield* OutboxSignal,
    processor: byKind(storableProcessor(yield* PaymentProcessor), debits, directory),
    calendar: yield* HolidayCalendar,
    transactionIds: yield* TransactionIds,
    reconciliations: yield* Reconciliations,
    recurrences: yield* RecurrenceStore,
  }
})

export type ChargePorts = Effect.Success<typeof chargePorts>

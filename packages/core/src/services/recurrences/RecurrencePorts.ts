import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import type { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { Bookkeeping } from "../charges/Bookkeeping.ts"
import { ChargeMoves } from "../charges/ChargeMoves.ts"
import { type ChargePorts, chargePorts } from "../charges/ChargePorts.ts"
import { PixCharges } from "../charges/PixCharges.ts"

export class RecurrencePorts extends Context.Service<
  RecurrencePorts,
  ChargePorts & {
    readonly bank: RecurrenceProcessor["Service"]
    readonly charges: PixCharges["Service"]
    readonly books: Bookkeeping["Service"]
    readonly chargeMoves: ChargeMoves
  }
>()("@pixcharge/core/recurrences/RecurrencePorts") {
  static readonly make = Effect.gen(function* () {
    const ports = yield* chargePorts
    return RecurrencePorts.of({
      ...ports,
      bank: withoutOthers(yield* RecurrenceProcessor, ports.recurrences),
      charges: yield* PixCharges,
      books: yield* Bookkeeping,
      chargeMoves: new ChargeMoves(ports),
    })
  })
}

/** Hides recurrences in other companies' books, which the bank can show under the same contract. */
const withoutOthers = (
  bank: RecurrenceProcessor["Service"],
  store: RecurrenceStore["Service"],
): RecurrenceProcessor["Service"] => {
  const othersOf = ({ issuer, contract }: Recurrence) =>
    Effect.mapError(
      store.bankIdsOfOthers(issuer, contract),
      (cause) => new ProcessorUnavailable({ operation: "lookupRecurrence", cause }),
    )
  return {
    ...bank,
    offer: (order) => bank.offer({ ...order, others: othersOf(order.recurrence) }),
    lookup: (recurrence) => bank.lookup(recurrence, othersOf(recurrence)),
  }
}

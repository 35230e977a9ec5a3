import * as Effect from "effect/Effect"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"

/** Ending a recurrence: stored before the bank is called, so that it is pursued even if the call has no answer. */
export const makeEndRecurrence = (moves: RecurrenceMoves, processor: RecurrenceProcessor["Service"]) => {
  /** Ends it at the bank, where that has it and it isn't over. What the bank refuses is looked up. */
  const endAtBank = Effect.fnUntraced(function* (recurrence: Recurrence) {
    if (recurrence._tag !== "Ending") return recurrence
    const { bankId } = recurrence
    if (bankId === undefined) return recurrence
    const view = yield* Effect.catchTag(processor.end({ ...recurrence, bankId }), "ProcessorRejected", () =>
      processor.lookup(recurrence),
    )
    return view === undefined ? recurrence : yield* moves.apply(recurrence, { _tag: "RecordView", view })
  })

  const end = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId) {
    const audit = yield* ifNamed({ kind: "recurrenceEndRequested", recurrenceId: id } as const)
    return yield* endAtBank(yield* moves.apply(yield* moves.load(issuer, id), { _tag: "RequestEnd" }, { audit }))
  })

  return { end, endAtBank }
}

/** Ending recurrences. */
export type EndRecurrence = ReturnType<typeof makeEndRecurrence>

import * as Effect from "effect/Effect"
import type { Cnpj } from "../party/Cnpj.ts"
import { ifNamed } from "../ports/Actor.ts"
import type { RecurrenceProcessor } from "../ports/RecurrenceProcessor.ts"
import { type RecurrenceMoves, toMove } from "./RecurrenceMoves.ts"
import { decideRecurrence } from "../recurrence/rules/decideRecurrence.ts"
import type { RecurrenceId } from "../recurrence/cycles/RecurrenceId.ts"

/** Ending a recurrence: stored before the bank is called, so that it is pursued even if the call has no answer. */
export const makeEndRecurrence = (moves: RecurrenceMoves, processor: RecurrenceProcessor["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId) {
    const audit = yield* ifNamed({ kind: "recurrenceEndRequested", recurrenceId: id } as const)
    const ending = yield* moves.moveBy(
      yield* moves.load(issuer, id),
      (known, now) => toMove(decideRecurrence(known, { _tag: "RequestEnd" }, now)),
      { audit },
    )
    if (ending._tag !== "Ending" || ending.bankId === undefined) return ending
    const view = yield* Effect.catchTag(processor.end(ending), "ProcessorRejected", () => processor.lookup(ending))
    if (view === undefined) return ending
    return yield* moves.moveBy(ending, (known, now) =>
      toMove(decideRecurrence(known, { _tag: "RecordView", view }, now)),
    )
  })

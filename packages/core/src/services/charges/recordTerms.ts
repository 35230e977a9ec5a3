import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Charge, isCycleCharge } from "../../model/charge/Charge.ts"
import { currentRow, isShown, liveRow, rowsOf } from "../../model/charge/TermsRow.ts"
import { decideChange } from "../../model/charge/decideChange.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import type { ChargeMoves, CommitError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"

/**
 * Records terms that the processor shows and the books don't know: a change that has succeeded, or one that restored books have
 * forgotten.
 */
export const makeRecordTerms = (
  { directory, calendar }: Pick<ChargePorts, "directory" | "calendar">,
  moves: ChargeMoves,
) =>
  Effect.fnUntraced(function* (
    charge: Charge,
    { terms }: Pick<ProcessorView, "terms">,
  ): Effect.fn.Return<Charge, CommitError> {
    if (terms === undefined || charge._tag !== "Pending" || isCycleCharge(charge)) return charge
    const rows = rowsOf(charge)
    if (liveRow(rows) === undefined && isShown(currentRow(rows), terms, charge)) return charge
    const entry = yield* directory.find(charge.issuer)
    if (entry === undefined) return charge
    const { company } = entry
    const holidays = calendar.forCompany(company)
    const command = { _tag: "RecordRevision", shown: terms, company, holidays } as const
    const moved = yield* moves.moveBy(charge, (current, now) => Result.succeed(decideChange(current, command, now)))
    return moved.state
  })

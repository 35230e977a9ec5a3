import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Charge, isCycleCharge } from "../../model/charge/Charge.ts"
import {
  isShown,
  lastKnownRevision,
  requestedRow,
  rowInForce,
  rowsOf,
  type ShownTerms,
} from "../../model/charge/TermsRow.ts"
import { decideChange } from "../../model/charge/decideChange.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import type { ChargeMoves, CommitError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"

const maxRevisions = 16

const isChangeable = (charge: Charge): boolean => charge._tag === "Pending" && !isCycleCharge(charge)

const isKnown = (charge: Charge, terms: ShownTerms): boolean => {
  const rows = rowsOf(charge)
  const isLater = (terms.revision ?? 0) > lastKnownRevision(rows)
  return !isLater && requestedRow(rows) === undefined && isShown(rowInForce(rows), terms, charge)
}

/**
 * Records terms that the processor shows and the books don't know: a change that has succeeded, or changes that restored books
 * have forgotten. A payer can have been shown each of them.
 */
export const makeRecordTerms = (
  { directory, calendar, processor }: Pick<ChargePorts, "directory" | "calendar" | "processor">,
  moves: ChargeMoves,
) => {
  const listSince = Effect.fnUntraced(function* (charge: Charge, revision: number) {
    const terms: Array<ShownTerms> = []
    const first = Math.max(lastKnownRevision(rowsOf(charge)) + 1, revision - maxRevisions)
    for (let earlier = first; earlier < revision; earlier++) {
      const view = yield* processor.lookup(charge, earlier)
      if (view.terms?.revision === earlier) terms.push(view.terms)
    }
    return terms
  })

  const record = <E>(list: (charge: Charge, revision: number) => Effect.Effect<ReadonlyArray<ShownTerms>, E>) =>
    Effect.fnUntraced(function* (
      charge: Charge,
      { terms }: Pick<ProcessorView, "terms">,
    ): Effect.fn.Return<Charge, CommitError | E> {
      if (terms === undefined || !isChangeable(charge) || isKnown(charge, terms)) return charge
      const earlier = yield* list(charge, terms.revision ?? 0)
      const entry = yield* directory.find(charge.issuer)
      if (entry === undefined) return charge
      const facts = { company: entry.company, holidays: calendar.forCompany(entry.company) }
      let state: Charge = charge
      for (const shown of [...earlier, terms]) {
        const command = { _tag: "RecordTerms", shown, ...facts } as const
        const decide = (current: Charge, now: number) => Result.succeed(decideChange(current, command, now))
        state = (yield* moves.moveBy(state, decide)).state
      }
      return state
    })

  const listIfAnswered = (charge: Charge, revision: number) =>
    listSince(charge, revision).pipe(
      logAndContinue("The earlier terms of a changed charge could not be looked up"),
      Effect.map((earlier = []) => earlier),
    )

  return {
    /** Fails if earlier terms can't be listed: an old request must not be sent over newer terms. */
    recordAll: record(listSince),
    /** For a payment, which is recorded in any case. */
    recordForPayment: record(listIfAnswered),
  }
}

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Charge, isCycleCharge } from "../../model/charge/Charge.ts"
import {
  currentRow,
  isShown,
  lastKnownRevision,
  liveRow,
  rowsOf,
  type ShownTerms,
} from "../../model/charge/TermsRow.ts"
import { decideChange } from "../../model/charge/decideChange.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import type { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import type { ChargeMoves, CommitError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"

const maxRevisions = 16

const isChangeable = (charge: Charge): boolean => charge._tag === "Pending" && !isCycleCharge(charge)

const isKnown = (charge: Charge, terms: ShownTerms): boolean => {
  const rows = rowsOf(charge)
  const isLater = (terms.revision ?? 0) > lastKnownRevision(rows)
  return !isLater && liveRow(rows) === undefined && isShown(currentRow(rows), terms, charge)
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

  const record = Effect.fnUntraced(function* (
    charge: Charge,
    shownTerms: ReadonlyArray<ShownTerms>,
  ): Effect.fn.Return<Charge, CommitError> {
    const entry = yield* directory.find(charge.issuer)
    if (entry === undefined) return charge
    const order = { company: entry.company, holidays: calendar.forCompany(entry.company) }
    let state: Charge = charge
    for (const shown of shownTerms) {
      const command = { _tag: "RecordRevision", shown, ...order } as const
      const decide = (current: Charge, now: number) => Result.succeed(decideChange(current, command, now))
      state = (yield* moves.moveBy(state, decide)).state
    }
    return state
  })

  return {
    /** Fails if earlier terms can't be listed: an old request must not be sent over newer terms. */
    recordAll: Effect.fnUntraced(function* (
      charge: Charge,
      { terms }: Pick<ProcessorView, "terms">,
    ): Effect.fn.Return<Charge, CommitError | ProcessorUnavailable> {
      if (terms === undefined || !isChangeable(charge) || isKnown(charge, terms)) return charge
      const earlier = yield* listSince(charge, terms.revision ?? 0)
      return yield* record(charge, [...earlier, terms])
    }),
    /** For a payment, which is recorded in any case. */
    recordForPayment: Effect.fnUntraced(function* (
      charge: Charge,
      { terms }: Pick<ProcessorView, "terms">,
    ): Effect.fn.Return<Charge, CommitError> {
      if (terms === undefined || !isChangeable(charge) || isKnown(charge, terms)) return charge
      const earlier = yield* logAndContinue("The earlier terms of a changed charge could not be looked up")(
        listSince(charge, terms.revision ?? 0),
      )
      return yield* record(charge, [...(earlier ?? []), terms])
    }),
  }
}

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PaymentSearch } from "../ports/PaymentProcessor.ts"
import type { StoreUnavailable } from "../ports/portErrors.ts"
import type { ListRun, Reconciliation, Reconciliations, ReconciliationTurn } from "../ports/Reconciliations.ts"
import { monotonicMs } from "../runtime/monotonicMs.ts"
import { logFailure } from "../runtime/telemetry/index.ts"
import type { LookUpWaiting } from "./lookUpWaiting.ts"
import { isIncomplete, type RecordedPage, type RecordPage } from "./recordPage.ts"
import { isDueBetween } from "./sweepSchedule.ts"

const dayMs = 86_400_000
/** Longer than a page takes to be read and recorded. */
export const leaseMs = 300_000

/** How a list ended: read, refused by the processor, or left because the time was up or another process has the company. */
export type Ending =
  | { readonly _tag: "Read"; readonly until: number; readonly hasFailed: boolean; readonly pages: number }
  | { readonly _tag: "Refused"; readonly retryAfterMs: number }
  | { readonly _tag: "Left" }

const left: Ending = { _tag: "Left" }

/** A company's turn, with its progress. */
export interface Turn {
  readonly leaseToken: string
  state: Reconciliation
  /** By `monotonicMs`. */
  readonly endsAt: number
}

/** The list of new payments, and that of what went back of older ones. */
type Kind = "run" | "returnsRun"

/** The state without a list that was under way. */
const without = (state: Reconciliation, kind: Kind): Reconciliation => {
  const { [kind]: _, ...rest } = state
  return rest
}

/** Reads a list to its end, until it is refused, or until a moment; what it has come to is kept page by page. */
export const makeReadList = (
  reconciliations: Reconciliations["Service"],
  recordPage: RecordPage,
  lookUpWaiting: LookUpWaiting,
) => {
  /** A payment that names no charge may pay one of its amount: while it belongs to none, that is a reason to look these up. */
  const lookUpUnnamed = ({ state }: Turn, { unnamed }: RecordedPage, until: number) =>
    lookUpWaiting.ofAmounts(
      state.issuer,
      unnamed.flatMap(({ amountCents, paidAt, isNew }) =>
        isNew || isDueBetween(paidAt, state.reconciledUntil, until) ? [amountCents] : [],
      ),
    )

  return Effect.fnUntraced(function* (
    turn: Turn,
    kind: Kind,
    first: ListRun,
    search: PaymentSearch,
    leavesAt = Infinity,
  ): Effect.fn.Return<Ending, StoreUnavailable> {
    const { issuer } = turn.state
    let run = first
    for (let pages = 1; ; pages++) {
      const reading = Effect.result(recordPage(issuer, search, run.cursor))
      const read = yield* Effect.timeoutOption(reading, turn.endsAt - (yield* monotonicMs))
      if (read._tag === "None") {
        turn.state = { ...turn.state, [kind]: run }
        return left
      }
      const now = yield* Clock.currentTimeMillis
      if (read.value._tag === "Failure") {
        const { failure } = read.value
        yield* logFailure("Warn", `The payments of ${issuer} could not be listed`, failure)
        // Where it left off it gets no answer, for a day: the processor may have forgotten the cursor.
        if (run === first && Math.abs(now - first.until) >= dayMs) turn.state = without(turn.state, kind)
        const { retryAfterMs = 0 } = failure
        return { _tag: "Refused", retryAfterMs: Number.isNaN(retryAfterMs) ? 0 : retryAfterMs }
      }
      const page = read.value.success
      if (kind === "run") yield* lookUpUnnamed(turn, page, run.until)
      const hasFailed = run.hasFailed === true || isIncomplete(page)
      turn.state = without(turn.state, kind)
      if (page.cursor === undefined) return { _tag: "Read", until: run.until, hasFailed, pages }
      run = { until: run.until, cursor: page.cursor, ...(hasFailed && { hasFailed }) }
      turn.state = { ...turn.state, [kind]: run }
      const isOurs = yield* save(reconciliations, turn, { _tag: "Keep", leaseUntil: now + leaseMs })
      if (!isOurs || now >= leavesAt) return left
    }
  })
}

/** Keeps what the turn has come to; whether this process still has it. */
export const save = (
  reconciliations: Reconciliations["Service"],
  { leaseToken, state }: Turn,
  next: ReconciliationTurn,
) => reconciliations.save({ ...state, leaseToken }, next)

/** Reads lists. */
export type ReadList = ReturnType<typeof makeReadList>

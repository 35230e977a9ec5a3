import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Cents } from "../../model/money/Money.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { DueChecks } from "../../ports/DueChecks.ts"
import type { PaymentSearch } from "../../ports/PaymentProcessor.ts"
import type {
  ListRun,
  Reconciliation,
  Reconciliations,
  ReconciliationTurn,
  WaitingCharge,
} from "../../ports/Reconciliations.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import { monotonicMs } from "../../runtime/clock.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import { isIncomplete, type RecordedPage, type RecordPage } from "./recordPage.ts"
import { isDueBetween } from "./sweepSchedule.ts"

const pageSize = 500

/** Makes unpaid charges due for a look-up now; the workers that make checks keep the pace of the company's bank. */
export const makeLookUpWaiting = (dueChecks: DueChecks["Service"], reconciliations: Reconciliations["Service"]) => {
  const lookUp = Effect.fnUntraced(function* (charges: ReadonlyArray<WaitingCharge>) {
    const now = yield* Clock.currentTimeMillis
    const later = charges.filter(({ checkAt = now }) => checkAt > now)
    yield* Effect.forEach(later, (charge) => dueChecks.scheduleCharge(charge, now), {
      concurrency: "unbounded",
      discard: true,
    })
  })

  return {
    /** Those of these amounts: a page of the youngest, so that payments which name no charge cost a bounded number of calls. */
    ofAmounts: (issuer: Cnpj, amounts: ReadonlyArray<Cents>) =>
      amounts.length === 0
        ? Effect.void
        : Effect.flatMap(reconciliations.waiting(issuer, { amounts, limit: pageSize }), lookUp),
    /** Those that come due by their age (`isDueBetween`) after `from` and until `until`, in epoch milliseconds. */
    dueBetween: Effect.fnUntraced(function* (issuer: Cnpj, from: number, until: number) {
      let after: WaitingCharge | undefined
      for (;;) {
        const page = yield* reconciliations.waiting(issuer, { limit: pageSize, ...(after && { after }) })
        yield* lookUp(page.filter(({ createdAt }) => isDueBetween(createdAt, from, until)))
        if (page.length < pageSize) return
        after = page.at(-1)
      }
    }),
  }
}

/** Looks up unpaid charges. */
export type LookUpWaiting = ReturnType<typeof makeLookUpWaiting>

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

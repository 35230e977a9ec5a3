import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Period } from "../../page/Period.ts"
import type { PaymentSearch } from "../../ports/PaymentProcessor.ts"
import type {
  ClaimedReconciliation,
  ReconciliationRun,
  Reconciliations,
  ReconciliationTurn,
} from "../../ports/Reconciliations.ts"
import { logAndContinue } from "../logAndContinue.ts"
import { isIncomplete, type RecordedPage, type RecordPage } from "./recordPage.ts"
import { logFailure, safeSpan } from "../../telemetry/index.ts"
import { monotonicMs } from "../monotonicMs.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Each run also covers the end of the one before: a bank may list a payment late. */
const overlapMs = 2 * dayMs
/** A payment may go back for 90 days (API Pix, `devolucao`), and a day passes until the next run. */
const returnableMs = 92 * dayMs
/** The bank's clock may be behind ours by so much. */
const skewMs = 5 * minuteMs
/** After this time a payment that can't be read or recorded is left to `reconcile`, which fails with it; each try is logged. */
const longestFailingMs = 8 * dayMs
/** Longer than a page takes to be read and recorded. */
const leaseMs = 5 * minuteMs

/** What a run lists: payments since the run before, or older ones of which something may have gone back since. */
const paymentSearch = (
  { since, reconciledUntil }: ClaimedReconciliation,
  { list, until }: ReconciliationRun,
): PaymentSearch => {
  const earliest = since - skewMs
  // After a clock was set back, what lies ahead of it was not really compared.
  const recent = Math.max(earliest, Math.min(reconciledUntil, until) - overlapMs)
  return list === "received"
    ? { from: recent, until }
    : { from: Math.max(earliest, until - returnableMs), until: recent, isReturned: true }
}

const isEmpty = ({ from, until }: Period): boolean => from >= until

/** When to go on after a failure: after half the time for which the run is overdue, a minute to an hour. */
const resumedAt = ({ reconciledUntil }: ClaimedReconciliation, now: number, wishedMs: number): number => {
  const overdueMs = now - reconciledUntil - dayMs
  return now + Math.min(Math.max(overdueMs / 2, minuteMs, wishedMs), hourMs)
}

/**
 * Compares every company's books with its processor's list once a day: payments whose notice was lost, further payments
 * of a charge, returns made by the bank or in its portal. A run is carried on by one process at a time, goes on from the
 * page where another left off, and pauses while its bank does not answer.
 */
export const makeDailyReconciliation = (reconciliations: Reconciliations["Service"], recordPage: RecordPage) => {
  let enteredAt = Number.NEGATIVE_INFINITY

  /** Companies that issued their first charge since are entered once an hour. */
  const enter = Effect.fnUntraced(function* (now: number) {
    if (Math.abs(now - enteredAt) < hourMs) return
    yield* reconciliations.enter(now)
    enteredAt = now
  })

  /** Where the run goes on after a page; undefined when it is over. */
  const afterPage = (
    claimed: ClaimedReconciliation,
    run: ReconciliationRun,
    page: RecordedPage,
  ): ReconciliationRun | undefined => {
    const { cursor } = page
    const { until, list } = run
    const kept = (run.hasFailed === true || isIncomplete(page)) && ({ hasFailed: true } as const)
    if (cursor !== undefined) return { until, list, cursor, ...kept }
    const next = { until, list: "returned", ...kept } as const
    return list === "returned" || isEmpty(paymentSearch(claimed, next)) ? undefined : next
  }

  const save = (claimed: ClaimedReconciliation, run: ReconciliationRun | undefined, turn: ReconciliationTurn) => {
    const { run: _, ...rest } = claimed
    return reconciliations.save({ ...rest, ...(run && { run }) }, turn)
  }

  /** What could not be read or recorded is listed again by the next run, but not for ever: the list would only grow. */
  const end = ({ failingSince, ...claimed }: ClaimedReconciliation, until: number, hasFailed: boolean, now: number) => {
    const since = failingSince ?? now
    return hasFailed && now - since < longestFailingMs
      ? save({ ...claimed, failingSince: since }, undefined, {
          _tag: "Release",
          nextAt: now + Math.min(Math.max((now - since) / 2, minuteMs), hourMs),
        })
      : save({ ...claimed, reconciledUntil: until }, undefined, { _tag: "Release", nextAt: now + dayMs })
  }

  const carryOn = Effect.fnUntraced(function* (claimed: ClaimedReconciliation, limitMs: number) {
    const endsAt = (yield* monotonicMs) + limitMs
    let run: ReconciliationRun = claimed.run ?? { until: yield* Clock.currentTimeMillis, list: "received" }
    for (;;) {
      const reading = Effect.result(recordPage(claimed.issuer, paymentSearch(claimed, run), run.cursor))
      const read = yield* Effect.timeoutOption(reading, endsAt - (yield* monotonicMs))
      const now = yield* Clock.currentTimeMillis
      if (read._tag === "None") {
        yield* save(claimed, run, { _tag: "Release", nextAt: now })
        return
      }
      const page = read.value
      if (page._tag === "Failure") {
        const { retryAfterMs = 0 } = page.failure
        yield* logFailure("Warn", `The payments of ${claimed.issuer} could not be listed`, page.failure)
        const nextAt = resumedAt(claimed, now, Number.isNaN(retryAfterMs) ? 0 : retryAfterMs)
        // Where it left off it gets no answer, for a day: the bank may have forgotten the cursor.
        const isStuck = run === claimed.run && now - run.until >= dayMs
        yield* save(claimed, isStuck ? undefined : run, { _tag: "Release", nextAt })
        return
      }
      const next = afterPage(claimed, run, page.success)
      if (next === undefined) {
        const hasFailed = run.hasFailed === true || isIncomplete(page.success)
        yield* end(claimed, run.until, hasFailed, now)
        return
      }
      if (!(yield* save(claimed, next, { _tag: "Keep", leaseUntil: now + leaseMs }))) return
      run = next
    }
  })

  return {
    /** A company whose turn has come, for this process; undefined when there is none. */
    claim: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* enter(now)
      return yield* reconciliations.claim({ now, leaseMs })
    }).pipe(logAndContinue("The companies to reconcile could not be read")),
    /** Carries a company's run on to its end, until its bank does not answer, or for so long: a later turn goes on there. */
    carryOn: (claimed: ClaimedReconciliation, limitMs = Number.POSITIVE_INFINITY) =>
      carryOn(claimed, limitMs).pipe(
        safeSpan("pix.reconciliation", { issuer: claimed.issuer }),
        logAndContinue(`The payments of ${claimed.issuer} could not be compared`),
      ),
  }
}

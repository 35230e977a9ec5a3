import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { CompanyNotFound, type DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { DueKind } from "../../ports/DueChecks.ts"
import type { PeriodTooLarge, ProcessorUnavailable, StoreUnavailable, TooManyReports } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { Period } from "../../runtime/page.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { chargeChecks, exceptionChecks, recurrenceChecks } from "./checks.ts"
import { type CheckWorker, type Finding, makeCheckWorker } from "./checkWorker.ts"
import { compareBooks } from "./compareBooks.ts"
import type { Comparison } from "./Comparison.ts"
import { type ReconciledPeriod, reconcilePeriod } from "./reconcilePeriod.ts"
import { DueLooks } from "../events/DueLooks.ts"
import { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { Recurrences } from "../recurrences/Recurrences.ts"
import { reconcilerPorts } from "./ReconcilerPorts.ts"
import { recordPage, type RecordPage } from "./recordPage.ts"
import { enterEveryMs, Sweep } from "./sweep.ts"
import { monotonicMs } from "../../runtime/clock.ts"

/** Result of one round of checks. */
export interface ReconciledRound {
  readonly checked: number
  /** Charges and exceptions moved by a missed payment, a return or the end of a refund. */
  readonly moved: number
  readonly unanswered: number
  /** More checks may be due already. */
  readonly more: boolean
}

const maxReconciled = 4
/** Delay before a new process claims its first company. */
const startMs = 10_000
const reconciledARound = 16

export type ReconcileError = CompanyNotFound | ProcessorUnavailable | StoreUnavailable | DirectoryUnavailable

/**
 * Finds payments whose notice was lost and returns made by the bank, and finishes unanswered refunds.
 *
 * While its layer lives, it lists the payments of companies with waiting charges (four companies at a time), and every company
 * once a day. It looks up due charges (at most 64 at a time) and unanswered refunds of exceptions (at most 16). Any number of
 * processes can run it; a bank that is down doesn't delay other companies.
 *
 * @example
 * ```ts
 * import { Reconciler } from "@pixcharge/core"
 * import type { Cnpj } from "@pixcharge/core/party"
 * import * as Effect from "effect/Effect"
 *
 * const reconcileSince = (issuer: Cnpj, from: number) =>
 *   Effect.flatMap(Reconciler, ({ reconcile }) => reconcile(issuer, { from, until: Date.now() }))
 * ```
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Runs one batch of due work. The layer does this by itself. */
    readonly round: Effect.Effect<ReconciledRound>
    /**
     * Like `round`, but takes at most this many milliseconds, and claims only these kinds of work. Unfinished checks become due
     * again after their lease; an unfinished list continues at its page.
     */
    readonly roundWithin: (limitMs: number, kinds?: ReadonlySet<DueKind>) => Effect.Effect<ReconciledRound>
    /**
     * Compares the books with the processor's list and records missing payments and returns. Use it after a restore, or when a
     * bank reports lost notices; it can be repeated safely. Fails with `ProcessorUnavailable` if the processor doesn't answer or
     * its list can't be read, and with `StoreUnavailable` if a payment can't be recorded. The other payments are still recorded.
     */
    readonly reconcile: (issuer: Cnpj, period: Period) => Effect.Effect<ReconciledPeriod, ReconcileError>
    /**
     * Compares a period without recording anything, at most a day and 50 000 payments on each side (held in memory). Fails with
     * `PeriodTooLarge` beyond that, and otherwise like `reconcile`.
     */
    readonly compare: (
      issuer: Cnpj,
      period: Period,
    ) => Effect.Effect<Comparison, ReconcileError | PeriodTooLarge | TooManyReports>
  }
>()("@pixcharge/core/reconcile/Reconciler") {
  static readonly layer = Layer.effect(
    Reconciler,
    Effect.gen(function* () {
      const { reconciler, sweep, workers } = yield* open
      const due = yield* DueLooks
      for (const worker of workers) yield* Effect.forkScoped(worker.running(due.await(worker.kind)))
      const places = Semaphore.makeUnsafe(maxReconciled)
      const sweeping = Effect.gen(function* () {
        for (;;) {
          yield* places.take(1)
          const claimed = yield* sweep.claim
          if (claimed === undefined) {
            yield* places.release(1)
            yield* Effect.timeoutOption(due.await("companies"), enterEveryMs)
          } else yield* Effect.forkScoped(Effect.ensuring(sweep.runTurn(claimed), places.release(1)))
        }
      })
      yield* Effect.forkScoped(Effect.andThen(Effect.sleep(startMs), sweeping))
      return reconciler
    }),
  ).pipe(Layer.provide(DueLooks.layer))

  /** Works only when called. Hosts without background work use it. */
  static readonly onDemand = Layer.effect(
    Reconciler,
    Effect.gen(function* () {
      return (yield* open).reconciler
    }),
  )
}

const recurrenceWorkers = Effect.gen(function* () {
  const recurrences = Option.getOrUndefined(yield* Effect.serviceOption(Recurrences))
  const store = Option.getOrUndefined(yield* Effect.serviceOption(RecurrenceStore))
  return recurrences && store ? [yield* makeCheckWorker(recurrenceChecks(store, recurrences))] : []
})

const open = Effect.gen(function* () {
  const ports = yield* reconcilerPorts
  const record: RecordPage = (issuer, search, cursor) => recordPage(ports, issuer, search, cursor)
  const workers: ReadonlyArray<CheckWorker> = [
    yield* makeCheckWorker(chargeChecks(ports)),
    yield* makeCheckWorker(exceptionChecks(ports)),
    ...(yield* recurrenceWorkers),
  ]
  const sweep = new Sweep({ ...ports, isListed: ports.processor.locality === "remote" }, record)

  const reconcileDue = Effect.fnUntraced(function* (leftMs: Effect.Effect<number>) {
    for (let companies = 0; companies < reconciledARound; companies++) {
      if ((yield* leftMs) === 0) return true
      const claimed = yield* sweep.claim
      if (claimed === undefined) return false
      yield* sweep.runTurn(claimed, yield* leftMs)
    }
    return true
  })

  const checkDue = Effect.fnUntraced(function* (worker: CheckWorker, leftMs: number) {
    const checked = yield* logAndContinue("The checks that are due could not be read")(worker.round(leftMs))
    return checked ?? { findings: [], more: false }
  })

  const roundWithin = Effect.fnUntraced(function* (limitMs: number, kinds?: ReadonlySet<DueKind>) {
    const endsAt = (yield* monotonicMs) + limitMs
    const leftMs = Effect.map(monotonicMs, (now) => Math.max(endsAt - now, 0))
    const due = workers.filter(({ kind }) => kinds?.has(kind) !== false)
    const checks = yield* Effect.forEach(due, (worker) => Effect.flatMap(leftMs, (limit) => checkDue(worker, limit)))
    const isSwept = kinds?.has("companies") !== false || (yield* sweep.entersNow)
    const more = isSwept && (yield* reconcileDue(leftMs))
    const findings = checks.flatMap((checked) => checked.findings)
    const count = (wanted: Finding) => findings.filter((finding) => finding === wanted).length
    return {
      checked: findings.length,
      moved: count("moved"),
      unanswered: count("unanswered"),
      more: more || checks.some((checked) => checked.more),
    }
  })

  const forCompany =
    <A, E>(call: (issuer: Cnpj, period: Period) => Effect.Effect<A, E>) =>
    (issuer: Cnpj, period: Period): Effect.Effect<A, E | CompanyNotFound | DirectoryUnavailable> =>
      Effect.flatMap(ports.directory.find(issuer), (entry): Effect.Effect<A, E | CompanyNotFound> =>
        entry === undefined ? new CompanyNotFound({ issuer }) : call(issuer, period),
      )

  const reconciler = Reconciler.of({
    round: roundWithin(Number.POSITIVE_INFINITY),
    roundWithin,
    reconcile: forCompany((issuer, period) => reconcilePeriod(record, issuer, period)),
    compare: forCompany((issuer, period) => compareBooks(ports, issuer, period)),
  })
  return { reconciler, sweep, workers }
})

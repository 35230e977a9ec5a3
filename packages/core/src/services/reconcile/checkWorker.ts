import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { deferredCheckAt } from "../../model/charge/checkSchedule.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ClaimRequest, DueKind } from "../../ports/DueChecks.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "../../ports/portErrors.ts"
import { hasTag } from "../../runtime/error.ts"
import { logAndContinue, logFailure } from "../../runtime/telemetry.ts"
import { CompanyLimits } from "./CompanyLimits.ts"

export type Finding = "moved" | "unchanged" | "unanswered" | "failed"

/** A claimed check. Times are in epoch milliseconds. */
export interface DueCheck {
  readonly label: string
  readonly issuer: Cnpj
  readonly waitsSince: number
  /** A failure after this time ends the checks. Unanswered calls and outages don't count. */
  readonly giveUpAt?: number
  /** Returns whether something moved. */
  readonly run: Effect.Effect<boolean, unknown>
  readonly retryAt: (now: number) => number
  /** Sets the next check; undefined ends the checks. */
  readonly reschedule: (checkAt: number | undefined) => Effect.Effect<void, StoreUnavailable>
}

export interface CheckJob {
  readonly kind: DueKind
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<DueCheck>, StoreUnavailable>
  readonly onFinding?: (finding: Finding) => Effect.Effect<void>
  readonly maxAtOnce: number
}

const firstAtOnce = 8
const maxWaitMs = 1_000

/** Places for concurrent checks: eight at first, eight more after each claim that fills them, up to `maxAtOnce`. */
class CheckPlaces {
  readonly #limits: CompanyLimits
  readonly #maxAtOnce: number
  #atOnce = firstAtOnce
  readonly #room = Latch.makeUnsafe(true)
  readonly awaitRoom: Effect.Effect<unknown> = Effect.timeoutOption(this.#room.await, maxWaitMs)

  constructor(limits: CompanyLimits, maxAtOnce: number) {
    this.#limits = limits
    this.#maxAtOnce = maxAtOnce
  }

  get freeCount(): number {
    return Math.max(this.#atOnce - this.#limits.underWay, 0)
  }

  begin(issuer: Cnpj, now: number): boolean {
    return this.#limits.begin(issuer, now)
  }

  end(issuer: Cnpj): void {
    this.#limits.end(issuer)
    this.update()
  }

  grow(): void {
    this.#atOnce = Math.min(this.#maxAtOnce, this.#atOnce + firstAtOnce)
  }

  update(): void {
    if (this.#limits.underWay > (this.#atOnce * 3) / 4) this.#room.closeUnsafe()
    else this.#room.openUnsafe()
  }
}

const maxCheckMs = 75_000
const busyMs = 2_000

const reschedule = (check: DueCheck, checkAt: number | undefined) =>
  logAndContinue(`The next check of ${check.label} could not be set`)(check.reschedule(checkAt))

/** For two seconds if the bank answers, longer if it doesn't. */
const deferCheck = Effect.fnUntraced(function* (check: DueCheck, limits: CompanyLimits) {
  const now = yield* Clock.currentTimeMillis
  const checkAt = limits.isSilent(check.issuer) ? deferredCheckAt(check.waitsSince, now) : now + busyMs
  yield* reschedule(check, Math.max(checkAt, limits.coolDownUntil(check.issuer)))
})

const recordSilence = Effect.fnUntraced(function* (
  check: DueCheck,
  { retryAfterMs }: ProcessorUnavailable,
  limits: CompanyLimits,
) {
  const now = yield* Clock.currentTimeMillis
  // Adapters can misread the `Retry-After` header.
  limits.recordSilence(check.issuer, now, Number.isNaN(retryAfterMs) ? 0 : retryAfterMs)
  // Lets other charges go first.
  yield* reschedule(check, Math.max(check.retryAt(now), limits.coolDownUntil(check.issuer)))
})

const recordFailure = Effect.fnUntraced(function* (check: DueCheck, cause: Cause.Cause<unknown>) {
  const error = Cause.squash(cause)
  const now = yield* Clock.currentTimeMillis
  const isOutage = hasTag(error, "StoreUnavailable") || hasTag(error, "DirectoryUnavailable")
  const isGivenUp = !isOutage && now >= (check.giveUpAt ?? Infinity)
  yield* logFailure("Warn", `${check.label} could not be checked${isGivenUp ? ", and is given up" : ""}`, cause)
  yield* reschedule(check, isGivenUp ? undefined : check.retryAt(now))
})

/** A defect, such as an unreadable answer, ends only this check. */
const runCheck = (check: DueCheck, limits: CompanyLimits): Effect.Effect<Finding> =>
  check.run.pipe(
    Effect.timeoutOrElse({
      duration: maxCheckMs,
      orElse: () => new ProcessorUnavailable({ operation: "check", cause: `no answer within ${maxCheckMs} ms` }),
    }),
    Effect.matchCauseEffect({
      onSuccess: (hasMoved) =>
        Effect.map(Clock.currentTimeMillis, (now): Finding => {
          limits.recordAnswer(check.issuer, now)
          return hasMoved ? "moved" : "unchanged"
        }),
      onFailure: (cause) => {
        const error = Cause.squash(cause)
        return hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable")
          ? Effect.as(recordSilence(check, error, limits), "unanswered" as const)
          : Effect.as(recordFailure(check, cause), "failed" as const)
      },
    }),
  )

/** Longer than any check takes. */
const leaseMs = 90_000
const deferredAtOnce = 8

/** Of any number of processes, one makes each check. */
export interface CheckWorker {
  readonly kind: DueKind
  readonly running: (due: Effect.Effect<void>) => Effect.Effect<never>
  /** Makes the checks of one claim. */
  readonly round: (
    limitMs: number,
  ) => Effect.Effect<{ readonly findings: ReadonlyArray<Finding>; readonly more: boolean }, StoreUnavailable>
}

export const makeCheckWorker = Effect.fnUntraced(function* (job: CheckJob) {
  const fork = yield* FiberSet.makeRuntime()
  const limits = new CompanyLimits(job.maxAtOnce)
  const places = new CheckPlaces(limits, job.maxAtOnce)

  const begin = (check: DueCheck): Fiber.Fiber<Finding> =>
    runCheck(check, limits).pipe(
      Effect.tap((finding) => job.onFinding?.(finding) ?? Effect.void),
      Effect.ensuring(Effect.sync(() => places.end(check.issuer))),
      fork,
    )

  const start = Effect.gen(function* () {
    const limit = Math.max(places.freeCount, 1)
    const now = yield* Clock.currentTimeMillis
    const due = yield* job.claim({ now, limit, leaseMs })
    const begun: Array<Fiber.Fiber<Finding>> = []
    const deferred: Array<DueCheck> = []
    for (const check of due) {
      if (places.begin(check.issuer, now)) begun.push(begin(check))
      else deferred.push(check)
    }
    const more = due.length === limit
    if (more) places.grow()
    places.update()
    yield* Effect.forEach(deferred, (check) => deferCheck(check, limits), {
      concurrency: deferredAtOnce,
      discard: true,
    })
    return { hasDeferred: deferred.length > 0, begun, more }
  })

  const running: CheckWorker["running"] = Effect.fnUntraced(function* (due) {
    for (;;) {
      yield* places.awaitRoom
      if (places.freeCount === 0) continue
      const started = yield* logAndContinue("The checks that are due could not be read")(start)
      if (started?.more !== true) yield* started?.hasDeferred === true ? Effect.sleep(busyMs) : due
    }
  })

  /** Interrupted checks are due again when their lease ends. */
  const round = Effect.fnUntraced(function* (limitMs: number) {
    const { begun, more } = yield* start
    const findings = yield* Effect.timeoutOption(Fiber.joinAll(begun), limitMs)
    if (findings._tag === "Some") return { findings: findings.value, more }
    yield* Fiber.interruptAll(begun)
    const exits = yield* Fiber.awaitAll(begun)
    return { findings: exits.flatMap((exit) => (exit._tag === "Success" ? [exit.value] : [])), more: true }
  })
  const worker: CheckWorker = { kind: job.kind, running, round }
  return worker
})

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { deferredCheckAt } from "../charges/rules/checkSchedule.ts"
import { hasTag } from "../runtime/error/isOfOurs.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { ClaimRequest } from "../ports/DueChecks.ts"
import { logAndContinue } from "../runtime/telemetry/logAndContinue.ts"
import { makeCompanyLimits } from "./companyLimits.ts"
import { logFailure } from "../runtime/telemetry/index.ts"

const firstAtOnce = 8
/** A check that takes longer counts as unanswered. */
const mostCheckMs = 75_000
/** Longer than any check, so that no other process begins it meanwhile. After a crash the check is due again then. */
const leaseMs = 90_000
/** When a check is due again for which the company's other checks left no place. */
const busyMs = 2_000
/** How long a claim waits for a quarter of the places to be free, before it makes do with fewer. */
const claimWaitMs = 1_000

/** What a check came to: its answer moved something or not, the processor gave no answer, or something else failed. */
export type Finding = "moved" | "unchanged" | "unanswered" | "failed"

/** One kind of check at the processor: how it is claimed, made and scheduled. */
export interface CheckJob<A extends { readonly version: number }> {
  /** Names one for a log. */
  readonly label: (item: A) => string
  readonly issuer: (item: A) => Cnpj
  /** Takes what is due, and puts its next check to the end of the lease. */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
  /** Calls the processor, commits its answer and schedules the next check, if there is one; the item after that. */
  readonly check: (item: A) => Effect.Effect<A, unknown>
  readonly schedule: (item: A, checkAt: number | undefined) => Effect.Effect<void, StoreUnavailable>
  /** Since when it waits for an answer. Epoch milliseconds. */
  readonly since: (item: A) => number
  /** When the next check is due after one without an answer. */
  readonly repeatedAt: (item: A, now: number) => number
  /** Whether one more failure ends the checks; a call without an answer and an outage don't count. */
  readonly isOver: (item: A, now: number) => boolean
  readonly onFinding?: (finding: Finding) => Effect.Effect<void>
  /** Checks under way at once. */
  readonly mostAtOnce: number
  /** How long to wait when nothing is due: at first, and at most. */
  readonly idleMs: { readonly first: number; readonly longest: number }
}

/**
 * Makes the checks that are due: `running` for as long as the scope lives, `round` those of one claim; it answers with its
 * findings and whether more may be due. Any number of processes may do so: each check is made by one of them.
 */
export const makeCheckWorker = Effect.fnUntraced(function* <A extends { readonly version: number }>(job: CheckJob<A>) {
  const run = yield* FiberSet.makeRuntime()
  const limits = makeCompanyLimits(job.mostAtOnce)
  let atOnce = firstAtOnce
  /** Open while a quarter of the places is free. */
  const room = Latch.makeUnsafe(true)

  const updateRoom = (): void => {
    if (limits.underWay() > (atOnce * 3) / 4) room.closeUnsafe()
    else room.openUnsafe()
  }

  /** If it can't be written, the check is due again when its lease ends. */
  const reschedule = (item: A, checkAt: number | undefined) =>
    logAndContinue(`The next check of ${job.label(item)} could not be set`)(job.schedule(item, checkAt))

  /** Delays what may not be begun now: shortly if others of the company are under way, longer if its bank does not answer. */
  const defer = Effect.fnUntraced(function* (item: A) {
    const issuer = job.issuer(item)
    const now = yield* Clock.currentTimeMillis
    const checkAt = limits.isUnanswered(issuer) ? deferredCheckAt(job.since(item), now) : now + busyMs
    yield* reschedule(item, Math.max(checkAt, limits.restsUntil(issuer)))
  })

  const failed = Effect.fnUntraced(function* (item: A, cause: Cause.Cause<unknown>): Effect.fn.Return<Finding> {
    const now = yield* Clock.currentTimeMillis
    const error = Cause.squash(cause)
    if (hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable")) {
      const issuer = job.issuer(item)
      // An adapter may have read a header that is no number.
      limits.unanswered(issuer, now, Number.isNaN(error.retryAfterMs) ? 0 : error.retryAfterMs)
      // After those that were deferred: a processor that does not answer for one charge may answer for others.
      yield* reschedule(item, Math.max(job.repeatedAt(item, now), limits.restsUntil(issuer)))
      return "unanswered"
    }
    const isOutage = hasTag(error, "StoreUnavailable") || hasTag(error, "DirectoryUnavailable")
    const isOver = !isOutage && job.isOver(item, now)
    yield* logFailure("Warn", `${job.label(item)} could not be checked${isOver ? ", and is given up" : ""}`, cause)
    yield* reschedule(item, isOver ? undefined : job.repeatedAt(item, now))
    return "failed"
  })

  /** One check. A defect, such as an answer that the adapter can't read, ends nothing but this check. */
  const check = (item: A): Effect.Effect<Finding> =>
    Effect.suspend(() => job.check(item)).pipe(
      Effect.timeoutOrElse({
        duration: mostCheckMs,
        orElse: () => new ProcessorUnavailable({ operation: "check", cause: `no answer within ${mostCheckMs} ms` }),
      }),
      Effect.matchCauseEffect({
        onSuccess: (after) =>
          Effect.map(Clock.currentTimeMillis, (now): Finding => {
            limits.answered(job.issuer(item), now)
            return after.version === item.version ? "unchanged" : "moved"
          }),
        onFailure: (cause) => failed(item, cause),
      }),
      Effect.tap((finding) => job.onFinding?.(finding) ?? Effect.void),
      Effect.ensuring(
        Effect.sync(() => {
          limits.end(job.issuer(item))
          updateRoom()
        }),
      ),
    )

  /** Claims as many checks as there are free places, begins those that may be begun, and defers the rest. */
  const start = Effect.gen(function* () {
    const limit = Math.max(1, atOnce - limits.underWay())
    const now = yield* Clock.currentTimeMillis
    const due = yield* job.claim({ now, limit, leaseMs })
    const begun: Array<Fiber.Fiber<Finding>> = []
    const deferred: Array<A> = []
    for (const item of due) {
      if (limits.begin(job.issuer(item), now)) begun.push(run(check(item)))
      else deferred.push(item)
    }
    const more = due.length === limit
    if (more) atOnce = Math.min(job.mostAtOnce, atOnce + firstAtOnce)
    updateRoom()
    yield* Effect.forEach(deferred, defer, { concurrency: firstAtOnce, discard: true })
    return { found: due.length, begun, more }
  })

  const running = Effect.gen(function* () {
    let idleMs = job.idleMs.first
    for (;;) {
      yield* Effect.timeoutOption(room.await, claimWaitMs)
      if (limits.underWay() >= atOnce) continue
      const started = yield* logAndContinue("The checks that are due could not be read")(start)
      if (started?.more === true) continue
      const foundSome = started !== undefined && started.found > 0
      idleMs = foundSome ? job.idleMs.first : Math.min(idleMs * 2, job.idleMs.longest)
      yield* Effect.sleep(idleMs)
    }
  })

  /** What has no answer at the limit is interrupted, and due again when its lease ends: nothing of it is lost. */
  const round = Effect.fnUntraced(function* (limitMs: number) {
    const { begun, more } = yield* start
    const findings = yield* Effect.timeoutOption(Fiber.joinAll(begun), limitMs)
    if (findings._tag === "Some") return { findings: findings.value, more }
    yield* Fiber.interruptAll(begun)
    const exits = yield* Fiber.awaitAll(begun)
    return { findings: exits.flatMap((exit) => (exit._tag === "Success" ? [exit.value] : [])), more: true }
  })
  return { running, round }
})

/** Makes checks that are due. */
export interface CheckWorker {
  readonly running: Effect.Effect<never>
  readonly round: (
    limitMs: number,
  ) => Effect.Effect<{ readonly findings: ReadonlyArray<Finding>; readonly more: boolean }, StoreUnavailable>
}

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type { StoreUnavailable } from "../ports/portErrors.ts"
import { nextDelayMs } from "../runtime/backOff.ts"
import { logAndContinue } from "../runtime/telemetry/logAndContinue.ts"
import { CheckPlaces } from "./CheckPlaces.ts"
import { CompanyLimits } from "./CompanyLimits.ts"
import type { CheckJob, DueCheck, Finding } from "./DueCheck.ts"
import { deferCheck, runCheck } from "./runCheck.ts"

/** Longer than any check, so that no other process begins it meanwhile. After a crash the check is due again then. */
const leaseMs = 90_000
const deferredAtOnce = 8

/** Makes checks that are due. Any number of processes may do so: each check is made by one of them. */
export interface CheckWorker {
  /** Makes them for as long as the scope lives. */
  readonly running: Effect.Effect<never>
  /** Makes those of one claim; returns its findings, and whether more may be due. */
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

  /** Claims as many checks as there are free places, begins those that may be begun, and defers the rest. */
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
    return { found: due.length, begun, more }
  })

  const running = Effect.gen(function* () {
    let idleMs = job.idleMs.firstMs
    for (;;) {
      yield* places.awaitRoom
      if (places.freeCount === 0) continue
      const started = yield* logAndContinue("The checks that are due could not be read")(start)
      if (started?.more === true) continue
      const foundSome = started !== undefined && started.found > 0
      idleMs = foundSome ? job.idleMs.firstMs : nextDelayMs(job.idleMs, idleMs)
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
  const worker: CheckWorker = { running, round }
  return worker
})

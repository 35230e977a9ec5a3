import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { DirectoryUnavailable, ProcessorUnavailable, StoreUnavailable } from "../../errors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ClaimRequest } from "../../ports/DueChecks.ts"
import { survive } from "../survive.ts"
import { makePaces } from "./paces.ts"

const firstAtOnce = 8
/** A check that takes longer is given up as unanswered. All that is claimed is begun at once, or put off at once. */
const mostCheckMs = 75_000
/** Longer than any check: nobody else begins what is under way here. What a process dies with comes again after it. */
const leaseMs = 90_000
/** What its company's other checks leave no place for comes again so soon. */
const busyMs = 2_000
/** So long more is not claimed for a few free places. */
const roomMs = 1_000

/** What a check came to: its answer moved something or not, there was no answer, or something else went wrong. */
export type Finding = "moved" | "unchanged" | "unanswered" | "failed"

/** What is to be followed up, until an answer of the processor ends it, and how. */
export interface FollowUp<A> {
  /** Names one for a log. */
  readonly nameOf: (item: A) => string
  readonly issuerOf: (item: A) => Cnpj
  /** Takes what is due, and puts its next check to the end of the lease. */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
  /** Asks the processor, takes its answer over and schedules the next check, if there is one; whether anything moved. */
  readonly ask: (item: A) => Effect.Effect<boolean, unknown>
  readonly schedule: (item: A, checkAt: number | undefined) => Effect.Effect<void, StoreUnavailable>
  /** When it should come again if it was not asked about, because its company's processor is silent. */
  readonly deferredAt: (item: A, now: number) => number
  /** When it should come again after it was asked about in vain. */
  readonly repeatedAt: (item: A, now: number) => number
  /** Whether to give it up if it fails once more, other than by a silence or an outage. */
  readonly isOver: (item: A, now: number) => boolean
  readonly onFinding: (finding: Finding) => Effect.Effect<void>
  /** Checks under way at once. */
  readonly mostAtOnce: number
  /** How long to wait when nothing is due: at first, and at most. */
  readonly idleMs: { readonly first: number; readonly longest: number }
}

/**
 * Follows up what is due for as long as the scope lives, and by `round` when it is called: one claim's worth, its
 * findings, and whether more may be due. Any number of processes may do so: each check is made by one of them.
 */
export const makeFollowUp = Effect.fnUntraced(function* <A>(work: FollowUp<A>) {
  const run = yield* FiberSet.makeRuntime()
  const paces = makePaces(work.mostAtOnce)
  let atOnce = firstAtOnce
  /** Open while a good part of the places is free. */
  const room = Latch.makeUnsafe(true)

  const watchRoom = (): void => {
    if (paces.underWay() > (atOnce * 3) / 4) room.closeUnsafe()
    else room.openUnsafe()
  }

  /** If it can't be written, the lease brings the check back. */
  const reschedule = (item: A, checkAt: number | undefined) =>
    survive(`The next check of ${work.nameOf(item)} could not be set`)(work.schedule(item, checkAt))

  /** Puts off what may not be begun now: little if others of its company are under way, more if its bank is silent. */
  const putOff = Effect.fnUntraced(function* (item: A) {
    const issuer = work.issuerOf(item)
    const now = yield* Clock.currentTimeMillis
    const checkAt = paces.isSilent(issuer) ? work.deferredAt(item, now) : now + busyMs
    yield* reschedule(item, Math.max(checkAt, paces.restsUntil(issuer)))
  })

  const answered = (item: A, moved: boolean): Effect.Effect<Finding> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      paces.answered(work.issuerOf(item), now)
      return moved ? "moved" : "unchanged"
    })

  const failed = Effect.fnUntraced(function* (item: A, cause: Cause.Cause<unknown>): Effect.fn.Return<Finding> {
    const now = yield* Clock.currentTimeMillis
    const error = Cause.squash(cause)
    if (error instanceof ProcessorUnavailable) {
      const issuer = work.issuerOf(item)
      // An adapter may read a header that is no number.
      paces.silent(issuer, now, Number.isNaN(error.retryAfterMs) ? 0 : error.retryAfterMs)
      // Behind those that were not asked about: a processor that is silent about one charge answers about others.
      yield* reschedule(item, Math.max(work.repeatedAt(item, now), paces.restsUntil(issuer)))
      return "unanswered"
    }
    const isOutage = error instanceof StoreUnavailable || error instanceof DirectoryUnavailable
    const isOver = !isOutage && work.isOver(item, now)
    yield* Effect.logWarning(`${work.nameOf(item)} could not be followed up${isOver ? ", and is given up" : ""}`, cause)
    yield* reschedule(item, isOver ? undefined : work.repeatedAt(item, now))
    return "failed"
  })

  /** One check. A defect, such as an odd answer that the adapter stumbles over, ends nothing but this check. */
  const check = (item: A): Effect.Effect<Finding> =>
    Effect.suspend(() => work.ask(item)).pipe(
      Effect.timeoutOrElse({
        duration: mostCheckMs,
        orElse: () => new ProcessorUnavailable({ operation: "check", cause: `no answer within ${mostCheckMs} ms` }),
      }),
      Effect.matchCauseEffect({
        onSuccess: (moved) => answered(item, moved),
        onFailure: (cause) => failed(item, cause),
      }),
      Effect.tap(work.onFinding),
      Effect.ensuring(
        Effect.sync(() => {
          paces.end(work.issuerOf(item))
          watchRoom()
        }),
      ),
    )

  /** Claims what there is room for, begins what may be begun, and puts off the rest. */
  const start = Effect.gen(function* () {
    const limit = Math.max(1, atOnce - paces.underWay())
    const now = yield* Clock.currentTimeMillis
    const due = yield* work.claim({ now, limit, leaseMs })
    const begun: Array<Fiber.Fiber<Finding>> = []
    const deferred: Array<A> = []
    for (const item of due) {
      if (paces.begin(work.issuerOf(item), now)) begun.push(run(check(item)))
      else deferred.push(item)
    }
    const more = due.length === limit
    if (more) atOnce = Math.min(work.mostAtOnce, atOnce + firstAtOnce)
    watchRoom()
    yield* Effect.forEach(deferred, putOff, {
      concurrency: firstAtOnce,
      discard: true,
    })
    return { found: due.length, begun, more }
  })

  const running = Effect.gen(function* () {
    let idleMs = work.idleMs.first
    for (;;) {
      yield* Effect.timeoutOption(room.await, roomMs)
      if (paces.underWay() >= atOnce) continue
      const started = yield* survive("What is to be followed up could not be read")(start)
      if (started?.more === true) continue
      const foundSome = started !== undefined && started.found > 0
      idleMs = foundSome ? work.idleMs.first : Math.min(idleMs * 2, work.idleMs.longest)
      yield* Effect.sleep(idleMs)
    }
  })
  yield* Effect.forkScoped(running)

  const round = Effect.gen(function* () {
    const { begun, more } = yield* start
    return { findings: yield* Fiber.joinAll(begun), more }
  })
  return { round }
})

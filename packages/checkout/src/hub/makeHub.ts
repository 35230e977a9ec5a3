import { monotonicMs, StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/telemetry"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import type { State } from "../state/State.ts"
import type { Finder, FoundAnew } from "./makeFinder.ts"
import { stateEvent } from "./stateEvent.ts"
import { type ChargePlace, isFound, placeKey, type Reader, type Watched } from "./Watched.ts"

/** From the end of a round to the beginning of the next. */
const roundMs = 1_000
/** The same while rounds fail: one look-up so often burdens no store that comes back, and who paid meanwhile is told soon. */
const failedRestMs = 4_000
/** After a round comes a rest of so many times its length, however many charges are watched. */
const shareOfTime = 10
/** The rest after a slow round is no longer than this: who paid meanwhile is told after it. */
const longestRestMs = 10_000
/** How long a charge is watched after a page asked for it, which asks again within this time, or opens its stream. */
const askedMs = 8_000
/** So many charges are watched for pages that only ask; more cost a look-up each time that they are asked for. */
const mostAsked = 20_000
/** Companies that are looked up by themselves at once, after a look-up for all of them failed: other connections are for other calls. */
const companiesAtOnce = 8
/** Business time that went on by so much more than time passed was moved by somebody, in the sandbox: pages count down by it. */
const movedMs = 1_500

/** Knows what open pages show, and tells them what changes. */
export interface Hub {
  /** The state of a charge: at once where it is watched, as the last round found it; undefined where there is none. */
  readonly present: (place: ChargePlace) => Effect.Effect<State | undefined, StoreUnavailable>
  /** How many streams there are of the charge. */
  readonly readerCount: (place: ChargePlace) => number
  /** Tells a stream of every change of the charge from this state on, until `leave`. */
  readonly follow: (place: ChargePlace, reader: Reader) => State | undefined
  readonly leave: (place: ChargePlace, reader: Reader) => void
}

const ended = new StoreUnavailable({ operation: "changed", cause: "the checkout has ended" })

const failed = (exit: Exit.Failure<unknown, StoreUnavailable>): Effect.Effect<never, StoreUnavailable> =>
  Cause.hasInterruptsOnly(exit.cause) ? Effect.fail(ended) : Effect.failCause(exit.cause)

type Joining = Deferred.Deferred<void, StoreUnavailable>

/** A charge that is asked for the first time, and who waits for it. */
type Asked = readonly [Watched, Joining]

const byCompany = (asked: ReadonlyArray<Asked>): ReadonlyArray<ReadonlyArray<Asked>> =>
  Object.values(Arr.groupBy(asked, ([{ place }]) => place.issuer))

/**
 * A hub, which works within its scope: while pages are open it looks all their charges up once a round, by one call; while none
 * is, it does nothing. Charges that are asked for first are looked up together with all that came meanwhile; if that fails, each
 * company's by themselves, for a store in shards may fail for some companies.
 */
export const makeHub = Effect.fnUntraced(function* (finder: Finder) {
  const watched = new Map<string, Watched>()
  const joining = new Map<Watched, Joining>()
  const awake = Latch.makeUnsafe()
  let failures = 0
  let lastRound: { readonly now: number; readonly steadyMs: number } | undefined

  const enter = (place: ChargePlace): Watched => {
    const key = placeKey(place)
    const known = watched.get(key)
    if (known !== undefined) return known
    const entered: Watched = { place, readers: new Set(), found: undefined, askedUntilMs: 0 }
    watched.set(key, entered)
    return entered
  }

  const tell = ({ readers }: Pick<Watched, "readers">, state: State, now: number): void => {
    let bytes: Uint8Array | undefined
    for (const { stream } of readers) {
      stream.send((bytes ??= stateEvent(state, now)))
      if (state.snapshot.isFinal) stream.end()
    }
  }

  const take = (anew: FoundAnew, now: number): void => {
    for (const [one, found] of anew) {
      const isOther = found.state.id !== one.found?.state.id
      one.found = found
      if (isOther) tell(one, found.state, now)
    }
  }

  const answerAll = (asked: ReadonlyArray<Asked>, is: Effect.Effect<void, StoreUnavailable>): void => {
    for (const [, waiting] of asked) Deferred.doneUnsafe(waiting, is)
  }

  /** Answers them if the store does. */
  const lookUp = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>, now: number) {
    const places = asked.map(([one]) => one)
    const exit = yield* Effect.exit(finder.changed(places, now))
    if (Exit.isFailure(exit)) return failed(exit)
    take(exit.value, now)
    answerAll(asked, Effect.void)
    return undefined
  })

  /** Answers them in any case. */
  const lookUpCompany = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>, now: number) {
    const failure = yield* lookUp(asked, now)
    if (failure !== undefined) answerAll(asked, failure)
    return failure
  })

  /** Looks up each company by itself. Once as many as are asked at once have all failed, the others have, too. */
  const lookUpApart = Effect.fnUntraced(function* (companies: ReadonlyArray<ReadonlyArray<Asked>>, now: number) {
    for (const some of Arr.chunksOf(companies, companiesAtOnce)) {
      const answers = yield* Effect.forEach(some, (asked) => lookUpCompany(asked, now), { concurrency: "unbounded" })
      const failure = answers.includes(undefined) ? undefined : answers[0]
      if (failure !== undefined) return answerAll(companies.flat(), failure)
    }
  })

  /** Looks up those that are asked for the first time; they are answered even where it is interrupted. */
  const lookUpJoining = Effect.suspend(() => {
    const asked = [...joining]
    joining.clear()
    const lookingUp = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const failure = yield* lookUp(asked, now)
      if (failure === undefined) return
      const companies = byCompany(asked)
      if (companies.length === 1) answerAll(asked, failure)
      else yield* lookUpApart(companies, now)
    })
    return Effect.ensuring(
      lookingUp,
      Effect.sync(() => answerAll(asked, Effect.fail(ended))),
    )
  })

  /** Ends the streams of links that have expired, and forgets what nobody looks at. */
  const sweep = (now: number, steadyMs: number): void => {
    for (const [key, one] of watched) {
      for (const { stream, expiresAt } of one.readers) if (expiresAt <= now) stream.end()
      if (one.readers.size === 0 && one.askedUntilMs <= steadyMs && !joining.has(one)) watched.delete(key)
    }
  }

  /** Whether business time was moved since the last round: it went on by more than time passed, or back. */
  const wasMoved = (now: number, steadyMs: number): boolean => {
    const before = lastRound
    lastRound = { now, steadyMs }
    if (before === undefined) return false
    const wentOn = now - before.now
    return wentOn > steadyMs - before.steadyMs + movedMs || wentOn < -movedMs
  }

  /** A stream whose charge was forgotten as it opened, for too many are watched, is as one that is asked for the first time. */
  const joinForgotten = (): void => {
    for (const one of watched.values())
      if (one.found === undefined && one.readers.size > 0 && !joining.has(one)) joining.set(one, Deferred.makeUnsafe())
  }

  const round = Effect.fnUntraced(function* () {
    const now = yield* Clock.currentTimeMillis
    const steadyMs = yield* monotonicMs
    sweep(now, steadyMs)
    const isMoved = wasMoved(now, steadyMs)
    const all = [...watched.values()].filter(isFound)
    joinForgotten()
    // First what happened, so that nobody is told that a charge has expired which was paid meanwhile.
    if (all.length > 0) take(yield* finder.changed(all, now), now)
    take(yield* finder.aged(all, now), now)
    if (isMoved) for (const one of all) tell(one, one.found.state, now)
  })

  /** Pages keep what they show while the store can't be asked; it is logged once an outage. */
  const safeRound = Effect.matchCauseEffect(Effect.suspend(round), {
    onSuccess: () => Effect.sync(() => void (failures = 0)),
    onFailure: (cause) =>
      failures++ === 0
        ? logFailure("Warn", "Open pages of payers could not be kept up to date, and show what they showed", cause)
        : Effect.void,
  })

  /** A round, and for how long to rest after it. */
  const timedRound = Effect.gen(function* () {
    const beganMs = yield* monotonicMs
    yield* safeRound
    const tookMs = (yield* monotonicMs) - beganMs
    return Math.min(longestRestMs, Math.max(failures === 0 ? roundMs : failedRestMs, tookMs * shareOfTime))
  })

  const work = Effect.gen(function* () {
    let nextRoundMs = 0
    while (true) {
      if (joining.size > 0) yield* lookUpJoining
      if (watched.size === 0) lastRound = undefined
      else if ((yield* monotonicMs) >= nextRoundMs) nextRoundMs = (yield* timedRound) + (yield* monotonicMs)
      if (joining.size > 0) continue
      awake.closeUnsafe()
      const resting = watched.size === 0 ? Effect.never : Effect.sleep(nextRoundMs - (yield* monotonicMs))
      yield* Effect.raceFirst(awake.await, resting)
    }
  })

  yield* Effect.addFinalizer(() => Effect.sync(() => answerAll([...joining], Effect.fail(ended))))
  yield* Effect.forkScoped(work)

  const hub: Hub = {
    present: Effect.fnUntraced(function* (place) {
      const steadyMs = yield* monotonicMs
      const one = enter(place)
      if (watched.size <= mostAsked) one.askedUntilMs = steadyMs + askedMs
      if (one.found === undefined) {
        const answer = joining.get(one) ?? Deferred.makeUnsafe<void, StoreUnavailable>()
        joining.set(one, answer)
        awake.openUnsafe()
        yield* Deferred.await(answer)
      }
      return one.found?.state
    }),
    readerCount: (place) => watched.get(placeKey(place))?.readers.size ?? 0,
    follow: (place, reader) => {
      const one = enter(place)
      one.readers.add(reader)
      awake.openUnsafe()
      return one.found?.state
    },
    leave: (place, reader) => void watched.get(placeKey(place))?.readers.delete(reader),
  }
  return hub
})

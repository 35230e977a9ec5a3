import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure, monotonicMs } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import type { AnyState, State } from "../wire/State.ts"
import type { Finder } from "./Finder.ts"
import { JoinQueue, LookUps } from "./LookUps.ts"
import {
  type AnyFound,
  type FoundItem,
  isFound,
  type ItemKey,
  type Reader,
  type WatchedItem,
  WatchedItems,
} from "./WatchedItems.ts"

/** A polling page polls again or opens a stream within this time. */
const polledMs = 8_000
/** Whether a poll requires a look-up. A final state does, because a refund can have changed it. */
const needsLookUp = ({ found }: Pick<WatchedItem<AnyFound>, "found">): boolean =>
  found === undefined || found.state.snapshot.isFinal

/** The maximum number of items that are watched for polling pages. */
const maxPolled = 20_000

export interface Hub<S extends AnyState = State> {
  /** Looks a final state up again. Undefined for a missing item. */
  readonly present: (key: ItemKey) => Effect.Effect<S | undefined, StoreUnavailable>
  /** Sends changes of the item to the reader until `leave`. Returns the last known state. */
  readonly follow: (key: ItemKey, reader: Reader) => S | undefined
  readonly leave: (key: ItemKey, reader: Reader) => void
}

/** Keeps open pages up to date. Sleeps while no page is open. */
export const makeHub = Effect.fnUntraced(function* <F extends AnyFound>(finder: Finder<F>) {
  const watched = new WatchedItems<F>()
  const lookUps = new LookUps(finder, watched)
  const queue = new JoinQueue(lookUps)
  const runRound = makeRounds({ finder, watched, lookUps, queue })
  const awake = Latch.makeUnsafe()

  const work = Effect.gen(function* () {
    let nextRoundMs = 0
    while (true) {
      if (!queue.isEmpty) yield* queue.lookUpAll
      if (watched.size > 0 && (yield* monotonicMs) >= nextRoundMs)
        nextRoundMs = (yield* runRound) + (yield* monotonicMs)
      if (!queue.isEmpty) continue
      awake.closeUnsafe()
      const nextRound = watched.size === 0 ? Effect.never : Effect.sleep(nextRoundMs - (yield* monotonicMs))
      yield* Effect.raceFirst(awake.await, nextRound)
    }
  })

  yield* Effect.addFinalizer(() => Effect.sync(() => queue.close()))
  yield* Effect.forkScoped(work)

  const hub: Hub<F["state"]> = {
    present: Effect.fnUntraced(function* (key) {
      const nowMs = yield* monotonicMs
      const item = watched.getOrAdd(key)
      if (watched.size <= maxPolled) item.polledUntilMs = nowMs + polledMs
      if (needsLookUp(item)) {
        const answer = queue.join(item)
        awake.openUnsafe()
        yield* Deferred.await(answer)
      }
      return item.found?.state
    }),
    follow: (key, reader) => {
      const item = watched.getOrAdd(key)
      item.readers.add(reader)
      awake.openUnsafe()
      return item.found?.state
    },
    leave: (key, reader) => void watched.get(key)?.readers.delete(reader),
  }
  return hub
})

/** If the clock advanced or went back by more than this, compared with the monotonic clock, someone moved the sandbox's clock. */
const movedMs = 1_500

const outageMessage = "Payers' open pages could not be updated, and keep their last state"

type Exits = ReadonlyArray<Exit.Exit<void, StoreUnavailable>>

export interface RoundParts<F extends AnyFound> {
  readonly finder: Finder<F>
  readonly watched: WatchedItems<F>
  readonly lookUps: LookUps<F>
  readonly queue: JoinQueue<F>
}

const makeRounds = <F extends AnyFound>({ finder, watched, lookUps, queue }: RoundParts<F>) => {
  let hasFailed = false
  let last: { readonly now: number; readonly nowMs: number } | undefined

  const wasTimeMoved = (now: number, nowMs: number): boolean => {
    if (last === undefined) return false
    const passedMs = now - last.now
    return passedMs > nowMs - last.nowMs + movedMs || passedMs < -movedMs
  }

  const round = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const nowMs = yield* monotonicMs
    const isMoved = wasTimeMoved(now, nowMs)
    watched.sweep(now, nowMs, (item) => queue.has(item))
    // Rounds pause while no item is watched. The first round after a pause must not compare its time with an old one.
    last = watched.size === 0 ? undefined : { now, nowMs }
    const found = watched.listFound()
    // Above `maxPolled`, the sweep can forget an item before `follow`. `follow` then adds it without a state.
    for (const item of watched.listUnfound()) queue.join(item)
    const upToDate: Array<FoundItem<F>> = []
    const exits: Array<Exits[number]> = []
    yield* lookUps.lookUp(found, now, (items, exit) => {
      exits.push(exit)
      if (Exit.isSuccess(exit)) upToDate.push(...items.filter((item) => isFound(item)))
    })
    // Runs after the look-up: a page must not show a charge as expired if it was paid in time.
    watched.update(yield* finder.findAged(upToDate, now), now)
    if (isMoved) watched.sendAll(now)
    return exits
  })

  return Effect.gen(function* () {
    const beganMs = yield* monotonicMs
    const exits = yield* Effect.catchCause(round, (cause) => Effect.succeed<Exits>([Exit.failCause(cause)]))
    const [cause] = exits.flatMap((exit) => (Exit.isFailure(exit) ? [exit.cause] : []))
    if (cause !== undefined && !hasFailed) yield* logFailure("Warn", outageMessage, cause)
    hasFailed = cause !== undefined
    return nextDelayMs((yield* monotonicMs) - beganMs, hasFailed && exits.every(Exit.isFailure))
  })
}

const roundDelayMs = 1_000
/** The delay after a failed round. */
const failureDelayMs = 4_000
/** A pause of ten times a round's duration: rounds take less than a tenth of the time. */
const delayFactor = 10
const maxDelayMs = 10_000

const nextDelayMs = (tookMs: number, hasFailed: boolean): number =>
  Math.min(maxDelayMs, Math.max(hasFailed ? failureDelayMs : roundDelayMs, tookMs * delayFactor))

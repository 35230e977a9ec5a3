import type { StoreUnavailable } from "@pixcharge/core"
import { monotonicMs } from "@pixcharge/core/internal"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { AnyState, State } from "../state/State.ts"
import { JoinQueue } from "./JoinQueue.ts"
import type { Finder } from "./Finder.ts"
import { LookUps } from "./LookUps.ts"
import { makeRounds } from "./makeRounds.ts"
import { type AnyFound, type Place, type Reader, type WatchedCharge, WatchedCharges } from "./WatchedCharges.ts"

/** How long a charge is watched after a page polled it: the page polls again within this time, or opens its stream. */
const polledMs = 8_000
/** A final state ends the rounds' work for a page, yet a refund may follow: who asks again gets it from the store. */
const needsLookUp = ({ found }: Pick<WatchedCharge<AnyFound>, "found">): boolean =>
  found === undefined || found.state.snapshot.isFinal

/** How many charges are watched for pages that only poll. Further ones cost a look-up for each poll. */
const maxPolled = 20_000

/** Knows what open pages show, and sends them what changes. */
export interface Hub<S extends AnyState = State> {
  /** The state of a charge, as the last round found it, or the store has it if it was final; undefined if there is no such charge. */
  readonly present: (place: Place) => Effect.Effect<S | undefined, StoreUnavailable>
  /** Sends every further change of the charge to a stream, until `leave`; returns the state to begin with. */
  readonly follow: (place: Place, reader: Reader) => S | undefined
  readonly leave: (place: Place, reader: Reader) => void
}

/** A hub, which works within its scope. While no page is open it does nothing. */
export const makeHub = Effect.fnUntraced(function* <F extends AnyFound>(finder: Finder<F>) {
  const watched = new WatchedCharges<F>()
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
    present: Effect.fnUntraced(function* (place) {
      const nowMs = yield* monotonicMs
      const charge = watched.getOrAdd(place)
      if (watched.size <= maxPolled) charge.polledUntilMs = nowMs + polledMs
      if (needsLookUp(charge)) {
        const answer = queue.join(charge)
        awake.openUnsafe()
        yield* Deferred.await(answer)
      }
      return charge.found?.state
    }),
    follow: (place, reader) => {
      const charge = watched.getOrAdd(place)
      charge.readers.add(reader)
      awake.openUnsafe()
      return charge.found?.state
    },
    leave: (place, reader) => void watched.get(place)?.readers.delete(reader),
  }
  return hub
})

import { currentActor } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Who makes a change, and when. */
export interface Author {
  readonly actor?: string | undefined
  /** Epoch milliseconds of business time, where that can be moved. Absent in production: hosts' clocks differ, the database's is one. */
  readonly at?: number | undefined
}

const machineClock = Context.get(Context.empty(), Clock.Clock)

/** The moment by a clock that can be moved, as the sandbox's; undefined where the machine's own is in use. */
export const movableNow: Effect.Effect<number | undefined> = Effect.map(Effect.service(Clock.Clock), (clock) =>
  clock === machineClock ? undefined : clock.currentTimeMillisUnsafe(),
)

/** Who makes the change at hand, and when. */
export const currentAuthor: Effect.Effect<Author> = Effect.zipWith(currentActor, movableNow, (actor, at) => ({
  actor,
  at,
}))

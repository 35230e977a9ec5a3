import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type { AnyFound, Findings, Found, FoundCharge, WatchedCharge } from "./WatchedCharges.ts"

/** Finds what has changed of what is watched. */
export interface Finder<F extends AnyFound = Found> {
  /** What has changed in the store. What doesn't exist, or can't be shown, is left out. */
  readonly changed: (all: ReadonlyArray<WatchedCharge<F>>, now: number) => Effect.Effect<Findings<F>, StoreUnavailable>
  /** What time alone has changed, without a look-up. */
  readonly aged: (all: ReadonlyArray<FoundCharge<F>>, now: number) => Effect.Effect<Findings<F>>
}

/** What can't be shown, or a host's calendar that throws, must not keep others from their pages. */
export const isolate = <F extends AnyFound>(
  watched: WatchedCharge<F>,
  found: Effect.Effect<F | undefined, unknown>,
): Effect.Effect<Findings<F>> =>
  found.pipe(
    Effect.map((one): Findings<F> => (one === undefined ? [] : [[watched, one]])),
    Effect.catchCause((cause) =>
      Effect.as(logFailure("Warn", "What a payer's page shows could not be made", cause), []),
    ),
  )

/** Derives again what time has changed by `now`. */
export const deriveAged = <F extends AnyFound>(
  all: ReadonlyArray<FoundCharge<F>>,
  now: number,
  derive: (found: F) => F,
): Effect.Effect<Findings<F>> => {
  const due = all.filter(({ found }) => (found.state.snapshot.changesAt ?? Infinity) <= now)
  const derived = Effect.forEach(due, (watched) =>
    isolate(
      watched,
      Effect.sync(() => derive(watched.found)),
    ),
  )
  return Effect.map(derived, (findings) => findings.flat())
}

import * as Effect from "effect/Effect"
import { claim, type ClaimPorts } from "./claimQueues.ts"

/** How long the queues of one claim are waited for before others are looked for. */
const betweenClaimsMs = 100

/** Sends what is due until nothing is left that can be sent now, or for this many milliseconds; then there may be `more`. */
export const dispatchDue = Effect.fnUntraced(function* (
  { ports, drained }: { readonly ports: ClaimPorts; readonly drained: Effect.Effect<void> },
  limitMs: number,
) {
  const { state, ready } = ports
  const endsAt = state.now() + limitMs
  const remainingMs = () => Math.max(endsAt - state.now(), 0)
  while (remainingMs() > 0) {
    if ((yield* Effect.timeoutOption(ready, remainingMs()))._tag === "None") break
    // What a claim brings must be taken in, not left to its lease.
    const { count, hasMore } = yield* Effect.uninterruptible(claim(ports))
    if (count === 0 && state.queues.size === 0) return { more: false }
    if (!hasMore) yield* Effect.timeoutOption(drained, Math.min(betweenClaimsMs, remainingMs()))
  }
  return { more: true }
})

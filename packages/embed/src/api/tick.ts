import { InvalidOption } from "@pixcharge/core"
import { lookForWork, monotonicMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { checkFields } from "./checkFields.ts"
import type { Services } from "../instance/services.ts"

export interface TickRequest {
  /** Milliseconds from now, above 0. No work begins after this time. */
  readonly deadlineMs: number
}

export interface TickResult {
  /** Whether the deadline came before the end of the due work. */
  readonly more: boolean
}

export const tick = Effect.fnUntraced(function* ({ dispatcher, reconciler, checks }: Services, request: TickRequest) {
  yield* checkFields("tick({ deadlineMs })", request, { deadlineMs: true })
  const { deadlineMs } = Object(request) as TickRequest
  if (!(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    return yield* new InvalidOption({ message: "tick({ deadlineMs }) needs a number of milliseconds above 0." })
  }
  const endsAt = (yield* monotonicMs) + deadlineMs
  const leftMs = Effect.map(monotonicMs, (now) => Math.max(endsAt - now, 0))

  const kinds = yield* lookForWork(checks)
  const dispatchAll = kinds.has("deliveries") ? dispatcher.roundWithin(yield* leftMs) : Effect.succeed({ more: false })

  const reconcileAll = Effect.gen(function* () {
    for (let moved = 0, due = kinds; ; due = yield* lookForWork(checks)) {
      const round = yield* reconciler.roundWithin(yield* leftMs, due)
      moved += round.moved
      // A move can make further work due.
      if ((!round.more && round.moved === 0) || (yield* leftMs) === 0) return { moved, more: round.more }
    }
  })
  const [dispatched, reconciled] = yield* Effect.all([dispatchAll, reconcileAll], { concurrency: "unbounded" })
  if (reconciled.moved === 0) return { more: reconciled.more || dispatched.more }
  const followed = yield* dispatcher.roundWithin(yield* leftMs)
  return { more: reconciled.more || followed.more }
})

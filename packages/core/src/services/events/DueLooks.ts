import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { DueChecks, type DueKind } from "../../ports/DueChecks.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { oldestAge, queueDepth } from "./attempt.ts"

const lookEveryMs = 5_000

export const lookForWork = Effect.fnUntraced(function* (dueChecks: DueChecks["Service"]) {
  const now = yield* Clock.currentTimeMillis
  const { kinds, depth } = yield* dueChecks.look(now)
  if (depth !== undefined) {
    yield* Metric.update(queueDepth, depth.waiting)
    yield* Metric.update(oldestAge, Math.max(0, now - (depth.oldestAt ?? now)))
  }
  return kinds
})

export class DueLooks extends Context.Service<
  DueLooks,
  {
    /** Waits until a later look finds work of this kind. */
    readonly await: (kind: DueKind) => Effect.Effect<void>
  }
>()("@pixcharge/core/events/DueLooks") {
  static readonly layer = Layer.effect(
    DueLooks,
    Effect.gen(function* () {
      let look = Deferred.makeUnsafe<ReadonlySet<DueKind> | undefined>()
      const lookNow = logAndContinue("The due work could not be read")(lookForWork(yield* DueChecks))
      const lookOnce = Effect.flatMap(Effect.delay(lookNow, lookEveryMs), (kinds) => {
        const ended = look
        look = Deferred.makeUnsafe()
        return Deferred.succeed(ended, kinds)
      })
      yield* Effect.forkScoped(Effect.forever(lookOnce))
      return DueLooks.of({
        await: Effect.fnUntraced(function* (kind) {
          while ((yield* Deferred.await(look))?.has(kind) !== true);
        }),
      })
    }),
  )
}

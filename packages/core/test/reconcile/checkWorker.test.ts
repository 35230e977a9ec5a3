import type { Cnpj } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { makeCheckWorker } from "../../src/service/reconcile/checkWorker.ts"

/** A check of a company of its own, which has its answer once the latch is open. */
const aCheck = (at: number) => ({ issuer: `${at}`.padStart(14, "0") as Cnpj, version: 1, answer: Latch.makeUnsafe() })

/** A worker that finds forty checks, and when it asks for them. */
const working = (
  scenario: (world: {
    readonly checks: ReadonlyArray<ReturnType<typeof aCheck>>
    readonly claimedAt: ReadonlyArray<number>
  }) => Effect.Effect<void>,
) =>
  Effect.gen(function* () {
    const checks = Array.from({ length: 40 }, (_, at) => aCheck(at))
    const claimedAt: Array<number> = []
    let given = 0
    const worker = yield* makeCheckWorker<ReturnType<typeof aCheck>>({
      label: ({ issuer }) => issuer,
      issuer: ({ issuer }) => issuer,
      claim: Effect.fnUntraced(function* ({ limit }) {
        claimedAt.push(yield* Clock.currentTimeMillis)
        const from = given
        given = Math.min(given + limit, checks.length)
        return checks.slice(from, given)
      }),
      check: (item) => Effect.as(item.answer.await, item),
      schedule: () => Effect.void,
      since: () => 0,
      repeatedAt: (_, now) => now + 60_000,
      isOver: () => false,
      mostAtOnce: 64,
      idleMs: { first: 10_000, longest: 10_000 },
    })
    yield* Effect.forkScoped(worker.running)
    yield* TestClock.adjust(400)
    yield* scenario({ checks, claimedAt })
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

describe("a worker of which more than three quarters of the places are taken", () => {
  it("claims no more for a second", () =>
    working(({ claimedAt }) =>
      Effect.gen(function* () {
        expect(claimedAt).toEqual([0, 0, 0, 0])
        yield* TestClock.adjust(599)
        expect(claimedAt).toHaveLength(4)
        yield* TestClock.adjust(1)
        expect(claimedAt[4]).toBe(1_000)
      }),
    ))

  it("claims at once when a quarter of them is free again", () =>
    working(({ checks, claimedAt }) =>
      Effect.gen(function* () {
        checks[0]?.answer.openUnsafe()
        yield* TestClock.adjust(1)
        expect(claimedAt).toHaveLength(4)
        checks[1]?.answer.openUnsafe()
        yield* TestClock.adjust(1)
        expect(claimedAt[4]).toBe(401)
      }),
    ))
})

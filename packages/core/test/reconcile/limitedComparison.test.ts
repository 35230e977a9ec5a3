import { ChargeStore, Reconciliations } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aSweep, emptyPage } from "./aSweep.ts"
import type { RecordPage } from "../../src/services/reconcile/recordPage.ts"

/** A clock whose time is frozen, but whose sleeps pass. */
const frozenClock = Effect.map(Clock.Clock, (clock) => ({
  ...clock,
  sleep: (duration: Parameters<typeof clock.sleep>[0]) => clock.sleep(duration),
  currentTimeMillis: Effect.succeed(fixtureNow),
  currentTimeMillisUnsafe: () => fixtureNow,
}))

const testCutOff = (clock: Effect.Effect<Clock.Clock>) => () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    yield* (yield* ChargeStore).insert(aPendingCharge())
    const cursors: Array<string | undefined> = []
    /** Lists five pages. Each takes a second. */
    const recordPage: RecordPage = (_, __, cursor) =>
      Effect.gen(function* () {
        cursors.push(cursor)
        yield* Effect.sleep("1 second")
        const next = Number(cursor ?? 0) + 1
        return { ...emptyPage, ...(next < 5 && { cursor: `${next}` }) }
      })
    const sweep = yield* aSweep(recordPage)
    const turn = Effect.gen(function* () {
      const claimed = yield* sweep.claim
      if (claimed === undefined) return "none"
      const running = Effect.provideServiceEffect(sweep.runTurn(claimed, 2_500), Clock.Clock, clock)
      const fiber = yield* Effect.forkChild(running)
      yield* TestClock.adjust("2500 millis")
      yield* Fiber.join(fiber)
      return "continued"
    })
    const turns = [yield* turn, yield* turn, yield* turn, yield* turn]
    expect(turns).toEqual(["continued", "continued", "continued", "none"])
    expect(cursors).toEqual([undefined, "1", "2", "2", "3", "4", "4"])
  })

const { effect } = itWith(memoryStore())
effect("continues a cut-off comparison immediately, from the page that it had reached", testCutOff(Clock.Clock))
effect("continues a woken company's turn that was cut off before its first page", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow + 3_600_000)
    const { issuer } = aPendingCharge()
    yield* (yield* ChargeStore).insert(aPendingCharge())
    let lists = 0
    const sweep = yield* aSweep(() => {
      lists += 1
      return Effect.as(Effect.sleep("1 second"), emptyPage)
    })
    const turn = Effect.fnUntraced(function* (limitMs: number) {
      const claimed = yield* sweep.claim
      const fiber = yield* Effect.forkChild(claimed ? sweep.runTurn(claimed, limitMs) : Effect.void)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
    })
    yield* turn(60_000)
    lists = 0
    yield* (yield* Reconciliations).wake(issuer, yield* Clock.currentTimeMillis)
    yield* turn(500)
    yield* turn(60_000)
    expect(lists).toBe(2)
    yield* turn(60_000)
    expect(lists).toBe(2)
  }),
)
effect("cuts a comparison off in time while business time is frozen", testCutOff(frozenClock))

import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { makeBankGate } from "../src/client/BankGate.ts"
import { Pace, type Turn, type Urgency } from "../src/client/Pace.ts"
import { type BankPace, type PacedCall } from "../src/profiles/PspProfile.ts"

const minute = 60_000

/** Each sent call with its time and urgency. */
const paced = (rule: BankPace) => {
  const pace = new Pace(rule)
  const sent: Array<readonly [at: number, urgency: Urgency]> = []
  const go = (urgency: Urgency, { call = "PUT immediate", maxWaitMs = 12_000 }: Partial<Turn> = {}) =>
    Effect.gen(function* () {
      yield* pace.take({ urgency, call, maxWaitMs })
      sent.push([yield* Clock.currentTimeMillis, urgency])
    })
  const many = (count: number, urgency: Urgency, turn?: Partial<Turn>) =>
    Effect.forEach(Array.from({ length: count }), () => Effect.forkChild(go(urgency, turn), { startImmediately: true }))
  return { pace, sent, go, many }
}

const maxInAMinute = (sent: ReadonlyArray<readonly [at: number, ...rest: ReadonlyArray<unknown>]>): number =>
  Math.max(0, ...sent.map(([from]) => sent.filter(([at]) => at >= from && at < from + minute).length))

const counts = (sent: ReadonlyArray<readonly [number, Urgency]>, urgency: Urgency): number =>
  sent.filter(([, one]) => one === urgency).length

const perMinute = (number: number): BankPace => ({ limits: [{ perMinute: number }] })

/** A limit with room for `number` issuing calls: seven eighths. */
const limitForIssuing = (number: number) => ({ perMinute: Math.ceil((number * 8) / 7) })
const forIssuing = (number: number): BankPace => ({ limits: [limitForIssuing(number)] })

describe("the pace of a bank", () => {
  it.effect("sends up to the limit in a minute, and the next call when the first is a minute old", () =>
    Effect.gen(function* () {
      const { sent, many } = paced(forIssuing(10))
      yield* many(10, "issue")
      expect(sent).toHaveLength(10)
      yield* TestClock.adjust("50 seconds")
      const [next] = yield* many(1, "issue")
      yield* TestClock.adjust("10 seconds")
      expect(sent).toHaveLength(10)
      yield* TestClock.adjust("1 second")
      expect(next?.pollUnsafe()).toBeDefined()
      expect(sent).toHaveLength(11)
    }),
  )

  it.effect("fails a call immediately if it would wait too long, with the time to retry", () =>
    Effect.gen(function* () {
      const { sent, go, many } = paced(forIssuing(10))
      yield* many(10, "issue")
      yield* TestClock.adjust("10 seconds")
      const refused = { cause: "paced", mayRetry: false, isNotExecuted: true, retryAfterMs: 51_000 }
      expect(yield* Effect.flip(go("issue", { maxWaitMs: 50_999 }))).toMatchObject(refused)
      yield* many(1, "issue", { maxWaitMs: 51_000 })
      yield* TestClock.adjust("51 seconds")
      expect(sent).toHaveLength(11)
    }),
  )

  it.effect("keeps its queue short enough to serve in time", () =>
    Effect.gen(function* () {
      const { sent, many } = paced(forIssuing(10))
      yield* many(10, "issue")
      yield* TestClock.adjust("55 seconds")
      const waiting = yield* many(1_000, "issue")
      expect(waiting.filter((fiber) => fiber.pollUnsafe() === undefined)).toHaveLength(10)
      yield* TestClock.adjust("10 seconds")
      expect(sent).toHaveLength(20)
      expect(maxInAMinute(sent)).toBe(10)
    }),
  )

  it.effect("sends issuing first, then refunds, notices, checks and strays, in any order of arrival", () =>
    Effect.gen(function* () {
      const { sent, many } = paced(perMinute(1))
      yield* many(1, "issue")
      for (const urgency of ["stray", "check", "notice", "refund", "issue"] as const) {
        yield* many(1, urgency, { maxWaitMs: 10 * minute })
      }
      for (let minutes = 0; minutes < 6; minutes++) yield* TestClock.adjust("61 seconds")
      expect(sent.slice(1).map(([, urgency]) => urgency)).toEqual(["issue", "refund", "notice", "check", "stray"])
    }),
  )

  it.effect("keeps half of the limit for issuing and refunds", () =>
    Effect.gen(function* () {
      const { sent, many } = paced(perMinute(120))
      yield* many(1_000, "check")
      yield* many(1_000, "notice")
      expect([counts(sent, "check"), counts(sent, "notice")]).toEqual([60, 30])
      yield* many(100, "issue")
      expect(counts(sent, "issue")).toBe(30)
    }),
  )

  it.effect("takes stray notices' eighth from the checks, not from other notices", () =>
    Effect.gen(function* () {
      for (const [first, second, taken] of [
        ["stray", "check", [15, 45]],
        ["check", "stray", [60, 0]],
      ] as const) {
        const { sent, many } = paced(perMinute(120))
        yield* many(1_000, first)
        yield* many(1_000, second)
        yield* many(1_000, "notice")
        expect([counts(sent, first), counts(sent, second), counts(sent, "notice")]).toEqual([...taken, 30])
      }
    }),
  )

  it.effect("keeps an eighth of the limit for calls other than issuing", () =>
    Effect.gen(function* () {
      const { sent, many } = paced(perMinute(120))
      yield* many(1_000, "issue")
      yield* many(100, "check")
      expect([counts(sent, "issue"), counts(sent, "check")]).toEqual([105, 15])
    }),
  )

  it.effect("keeps an eighth of the limit for issuing", () =>
    Effect.gen(function* () {
      for (const before of [0, 20]) {
        const { sent, many } = paced(perMinute(120))
        yield* many(before, "issue")
        for (const urgency of ["check", "notice", "refund"] as const) yield* many(1_000, urgency)
        expect(sent.length - counts(sent, "issue")).toBe(Math.min(105, 120 - before))
        expect(counts(sent, "refund")).toBe(Math.min(15, 30 - before))
        yield* many(100, "issue")
        expect(counts(sent, "issue")).toBe(Math.max(15, before))
      }
      const { sent, many } = paced(perMinute(120))
      yield* many(1_000, "refund")
      yield* many(100, "issue")
      expect([counts(sent, "refund"), counts(sent, "issue")]).toEqual([105, 15])
    }),
  )

  it.effect("counts each call alone, the calls of a limit together, or all", () =>
    Effect.gen(function* () {
      const calls = ["PUT immediate", "GET immediate"] as const
      const { sent, many } = paced({
        limits: [
          { ...limitForIssuing(5), calls, counted: "each" },
          { ...limitForIssuing(8), calls },
          limitForIssuing(9),
        ],
      })
      const asked: ReadonlyArray<PacedCall> = ["PUT immediate", "GET immediate", "PUT return", "token"]
      for (const call of asked) yield* many(20, "issue", { call })
      expect(sent).toHaveLength(9)
    }),
  )

  it.effect("gives the room of an unsent call to another", () =>
    Effect.gen(function* () {
      const { pace, sent, go, many } = paced(perMinute(1))
      yield* (yield* pace.take({ urgency: "issue", call: "token", maxWaitMs: 0 })).cancel
      yield* go("issue")
      expect(sent).toHaveLength(1)
      yield* TestClock.adjust("55 seconds")
      const [left] = yield* many(1, "issue")
      if (left !== undefined) yield* Fiber.interrupt(left)
      yield* TestClock.adjust("6 seconds")
      yield* go("issue")
      expect(sent).toHaveLength(2)
    }),
  )

  it.effect("doesn't send a waiting call during a pause that the bank requested meanwhile", () =>
    Effect.gen(function* () {
      const { pass, pause } = makeBankGate(new Pace(forIssuing(1)))
      const call = pass({ urgency: "issue", call: "token", maxWaitMs: 2 * minute }, Effect.void)
      yield* call
      const waiting = yield* Effect.forkChild(Effect.flip(call), { startImmediately: true })
      yield* TestClock.adjust("31 seconds")
      yield* pause(minute)
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(waiting)).toMatchObject({ cause: "rateLimited", retryAfterMs: 30_000 })
    }),
  )

  it.effect("doesn't count a call that the open circuit held back", () =>
    Effect.gen(function* () {
      const { pass, breaker } = makeBankGate(new Pace(perMinute(1)))
      const call = pass({ urgency: "issue", call: "token", maxWaitMs: 0 }, Effect.void)
      for (let failures = 0; failures < 8; failures++) yield* breaker.failed
      expect(yield* Effect.flip(call)).toMatchObject({ cause: "circuitOpen" })
      yield* breaker.succeeded
      yield* call
      expect(yield* Effect.flip(call)).toMatchObject({ cause: "paced" })
    }),
  )

  it.effect("counts a slow call from its end, because the bank can have received it only then", () =>
    Effect.gen(function* () {
      const { pace, go } = paced(forIssuing(2))
      const { end } = yield* pace.take({ urgency: "issue", call: "token", maxWaitMs: 0 })
      yield* go("issue")
      yield* TestClock.adjust("9 seconds")
      yield* end
      yield* TestClock.adjust("52 seconds")
      yield* go("issue", { maxWaitMs: 0 })
      expect(yield* Effect.flip(go("issue", { maxWaitMs: 0 }))).toMatchObject({ retryAfterMs: 9_000 })
      yield* TestClock.adjust("9 seconds")
      yield* go("issue", { maxWaitMs: 0 })
    }),
  )

  it.effect("is kept while calls wait for a connection and the bank answers fast", () =>
    Effect.gen(function* () {
      const gate = makeBankGate(new Pace(forIssuing(6)))
      const turn = { urgency: "issue", call: "token", maxWaitMs: 12_000 } as const
      const reached: Array<readonly [number]> = []
      const sockets = Semaphore.makeUnsafe(2)
      let answerMs = 3_000
      const call = Effect.gen(function* () {
        reached.push([yield* Clock.currentTimeMillis])
        yield* Effect.sleep(answerMs)
      })
      const six = Effect.forEach(Array.from({ length: 6 }), () =>
        Effect.forkChild(gate.pass(turn, sockets.withPermit(call)), { startImmediately: true }),
      )
      yield* six
      yield* TestClock.adjust("60 seconds")
      answerMs = 0
      yield* six
      for (let seconds = 0; seconds < 30; seconds++) yield* TestClock.adjust("1 second")
      expect(reached).toHaveLength(12)
      expect(maxInAMinute(reached)).toBe(6)
    }),
  )

  it.effect("uses the monotonic clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { sent, many, go } = paced(forIssuing(3))
      yield* many(3, "issue")
      for (const set of [1_000_000 - 2_000, 1_000_000 + 2 * minute]) {
        const real = yield* Clock.Clock
        const clock: Clock.Clock = Object.assign(Object.create(real) as Clock.Clock, {
          currentTimeMillisUnsafe: () => set,
          currentTimeMillis: Effect.succeed(set),
        })
        const refused = yield* Effect.flip(Effect.provideService(go("issue"), Clock.Clock, clock))
        expect(refused).toMatchObject({ retryAfterMs: 61_000 })
      }
      expect(sent).toHaveLength(3)
      yield* TestClock.adjust("61 seconds")
      yield* go("issue")
    }),
  )

  test("is kept in every minute, and each waiting call goes in time or fails", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom("issue", "refund", "notice", "check")), {
          maxLength: 60,
        }),
        (most, arrivals) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const { sent, many } = paced(perMinute(most))
              const fibers = []
              for (const [afterMs, urgency] of arrivals) {
                yield* TestClock.adjust(afterMs)
                fibers.push(...(yield* many(1, urgency)))
              }
              yield* TestClock.adjust("15 seconds")
              expect(maxInAMinute(sent)).toBeLessThanOrEqual(most)
              expect(fibers.filter((fiber) => fiber.pollUnsafe() === undefined)).toEqual([])
            }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
          ),
      ),
      { numRuns: 60 },
    ))
})

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

/** Makes a pace, and records each sent call with its time and urgency. */
const paced = (rule: BankPace) => {
  const pace = new Pace(rule)
  const sent: Array<readonly [at: number, urgency: Urgency]> = []
  const sendOne = (urgency: Urgency, { call = "PUT immediate", maxWaitMs = 12_000 }: Partial<Turn> = {}) =>
    Effect.gen(function* () {
      yield* pace.take({ urgency, call, maxWaitMs })
      sent.push([yield* Clock.currentTimeMillis, urgency])
    })
  const sendMany = (count: number, urgency: Urgency, turn?: Partial<Turn>) =>
    Effect.forEach(Array.from({ length: count }), () =>
      Effect.forkChild(sendOne(urgency, turn), { startImmediately: true }),
    )
  return { pace, sent, sendOne, sendMany }
}

const maxInAMinute = (sent: ReadonlyArray<readonly [at: number, ...rest: ReadonlyArray<unknown>]>): number =>
  Math.max(0, ...sent.map(([from]) => sent.filter(([at]) => at >= from && at < from + minute).length))

const countSent = (sent: ReadonlyArray<readonly [number, Urgency]>, urgency: Urgency): number =>
  sent.filter(([, one]) => one === urgency).length

const perMinute = (number: number): BankPace => ({ limits: [{ perMinute: number }] })

/** A limit with room for `number` issuing calls, which can use seven eighths of it. */
const limitForIssuing = (number: number) => ({ perMinute: Math.ceil((number * 8) / 7) })
const forIssuing = (number: number): BankPace => ({ limits: [limitForIssuing(number)] })

describe("the pace of a bank", () => {
  it.effect("sends up to the limit in a minute, and the next call when the first is a minute old", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(forIssuing(10))
      yield* sendMany(10, "issue")
      expect(sent).toHaveLength(10)
      yield* TestClock.adjust("50 seconds")
      const [next] = yield* sendMany(1, "issue")
      yield* TestClock.adjust("10 seconds")
      expect(sent).toHaveLength(10)
      yield* TestClock.adjust("1 second")
      expect(next?.pollUnsafe()).toBeDefined()
      expect(sent).toHaveLength(11)
    }),
  )

  it.effect("gives three quarters to charges of issueMany, and the next call to the others", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(perMinute(80))
      yield* sendMany(80, "many", { maxWaitMs: 2 * minute })
      expect(countSent(sent, "many")).toBe(60)
      yield* sendMany(10, "issue")
      expect(countSent(sent, "issue")).toBe(10)
      yield* sendMany(8, "refund")
      expect(countSent(sent, "refund")).toBe(8)
      yield* TestClock.adjust("61 seconds")
      expect(countSent(sent, "many")).toBe(80)
    }),
  )

  it.effect("immediately fails a call that would wait too long, and reports when it can be retried", () =>
    Effect.gen(function* () {
      const { sent, sendOne, sendMany } = paced(forIssuing(10))
      yield* sendMany(10, "issue")
      yield* TestClock.adjust("10 seconds")
      const refused = { cause: "paced", mayRetry: false, isNotExecuted: true, retryAfterMs: 51_000 }
      expect(yield* Effect.flip(sendOne("issue", { maxWaitMs: 50_999 }))).toMatchObject(refused)
      yield* sendMany(1, "issue", { maxWaitMs: 51_000 })
      yield* TestClock.adjust("51 seconds")
      expect(sent).toHaveLength(11)
    }),
  )

  it.effect("keeps only as many calls waiting as it can send in time", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(forIssuing(10))
      yield* sendMany(10, "issue")
      yield* TestClock.adjust("55 seconds")
      const waiting = yield* sendMany(1_000, "issue")
      expect(waiting.filter((fiber) => fiber.pollUnsafe() === undefined)).toHaveLength(10)
      yield* TestClock.adjust("10 seconds")
      expect(sent).toHaveLength(20)
      expect(maxInAMinute(sent)).toBe(10)
    }),
  )

  it.effect("sends issuing calls first, then refunds, notices, checks and strays, regardless of their arrival", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(perMinute(1))
      yield* sendMany(1, "issue")
      for (const urgency of ["stray", "check", "notice", "refund", "issue"] as const) {
        yield* sendMany(1, urgency, { maxWaitMs: 10 * minute })
      }
      for (let minutes = 0; minutes < 6; minutes++) yield* TestClock.adjust("61 seconds")
      expect(sent.slice(1).map(([, urgency]) => urgency)).toEqual(["issue", "refund", "notice", "check", "stray"])
    }),
  )

  it.effect("lets checks use half of the limit, and notices a quarter", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(perMinute(120))
      yield* sendMany(1_000, "check")
      yield* sendMany(1_000, "notice")
      expect([countSent(sent, "check"), countSent(sent, "notice")]).toEqual([60, 30])
      yield* sendMany(100, "issue")
      expect(countSent(sent, "issue")).toBe(30)
    }),
  )

  it.effect("takes the eighth for stray notices from the checks, not from other notices", () =>
    Effect.gen(function* () {
      for (const [first, second, taken] of [
        ["stray", "check", [15, 45]],
        ["check", "stray", [60, 0]],
      ] as const) {
        const { sent, sendMany } = paced(perMinute(120))
        yield* sendMany(1_000, first)
        yield* sendMany(1_000, second)
        yield* sendMany(1_000, "notice")
        expect([countSent(sent, first), countSent(sent, second), countSent(sent, "notice")]).toEqual([...taken, 30])
      }
    }),
  )

  it.effect("keeps an eighth of the limit for calls that don't issue charges", () =>
    Effect.gen(function* () {
      const { sent, sendMany } = paced(perMinute(120))
      yield* sendMany(1_000, "issue")
      yield* sendMany(100, "check")
      expect([countSent(sent, "issue"), countSent(sent, "check")]).toEqual([105, 15])
    }),
  )

  it.effect("keeps an eighth of the limit for issuing", () =>
    Effect.gen(function* () {
      for (const before of [0, 20]) {
        const { sent, sendMany } = paced(perMinute(120))
        yield* sendMany(before, "issue")
        for (const urgency of ["check", "notice", "refund"] as const) yield* sendMany(1_000, urgency)
        expect(sent.length - countSent(sent, "issue")).toBe(Math.min(105, 120 - before))
        expect(countSent(sent, "refund")).toBe(Math.min(15, 30 - before))
        yield* sendMany(100, "issue")
        expect(countSent(sent, "issue")).toBe(Math.max(15, before))
      }
      const { sent, sendMany } = paced(perMinute(120))
      yield* sendMany(1_000, "refund")
      yield* sendMany(100, "issue")
      expect([countSent(sent, "refund"), countSent(sent, "issue")]).toEqual([105, 15])
    }),
  )

  it.effect("counts each kind of call separately, the kinds of a limit together, or all calls", () =>
    Effect.gen(function* () {
      const calls = ["PUT immediate", "GET immediate"] as const
      const { sent, sendMany } = paced({
        limits: [
          { ...limitForIssuing(5), calls, counted: "each" },
          { ...limitForIssuing(8), calls },
          limitForIssuing(9),
        ],
      })
      const kinds: ReadonlyArray<PacedCall> = ["PUT immediate", "GET immediate", "PUT return", "token"]
      for (const call of kinds) yield* sendMany(20, "issue", { call })
      expect(sent).toHaveLength(9)
    }),
  )

  it.effect("gives the room of an unsent call to the next call", () =>
    Effect.gen(function* () {
      const { pace, sent, sendOne, sendMany } = paced(perMinute(1))
      yield* (yield* pace.take({ urgency: "issue", call: "token", maxWaitMs: 0 })).cancel
      yield* sendOne("issue")
      expect(sent).toHaveLength(1)
      yield* TestClock.adjust("55 seconds")
      const [abandoned] = yield* sendMany(1, "issue")
      if (abandoned !== undefined) yield* Fiber.interrupt(abandoned)
      yield* TestClock.adjust("6 seconds")
      yield* sendOne("issue")
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

  it.effect("doesn't count a call that the open circuit breaker prevented", () =>
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
      const { pace, sendOne } = paced(forIssuing(2))
      const { end } = yield* pace.take({ urgency: "issue", call: "token", maxWaitMs: 0 })
      yield* sendOne("issue")
      yield* TestClock.adjust("9 seconds")
      yield* end
      yield* TestClock.adjust("52 seconds")
      yield* sendOne("issue", { maxWaitMs: 0 })
      expect(yield* Effect.flip(sendOne("issue", { maxWaitMs: 0 }))).toMatchObject({ retryAfterMs: 9_000 })
      yield* TestClock.adjust("9 seconds")
      yield* sendOne("issue", { maxWaitMs: 0 })
    }),
  )

  it.effect("is kept even if calls wait for a connection, and the bank then answers fast", () =>
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

  it.effect("is measured by the monotonic clock, even if the business clock is changed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { sent, sendMany, sendOne } = paced(forIssuing(3))
      yield* sendMany(3, "issue")
      for (const set of [1_000_000 - 2_000, 1_000_000 + 2 * minute]) {
        const real = yield* Clock.Clock
        const clock: Clock.Clock = Object.assign(Object.create(real) as Clock.Clock, {
          currentTimeMillisUnsafe: () => set,
          currentTimeMillis: Effect.succeed(set),
        })
        const refused = yield* Effect.flip(Effect.provideService(sendOne("issue"), Clock.Clock, clock))
        expect(refused).toMatchObject({ retryAfterMs: 61_000 })
      }
      expect(sent).toHaveLength(3)
      yield* TestClock.adjust("61 seconds")
      yield* sendOne("issue")
    }),
  )

  test("is kept in every minute, and each waiting call is sent in time or fails", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom("issue", "refund", "notice", "check")), {
          maxLength: 60,
        }),
        (limit, arrivals) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const { sent, sendMany } = paced(perMinute(limit))
              const fibers = []
              for (const [afterMs, urgency] of arrivals) {
                yield* TestClock.adjust(afterMs)
                fibers.push(...(yield* sendMany(1, urgency)))
              }
              yield* TestClock.adjust("15 seconds")
              expect(maxInAMinute(sent)).toBeLessThanOrEqual(limit)
              expect(fibers.filter((fiber) => fiber.pollUnsafe() === undefined)).toEqual([])
            }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
          ),
      ),
      { numRuns: 60 },
    ))
})

import { aChargeId, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { ChargeRequest } from "../../src/model/charge/ChargeRequest.ts"
import type { IssuedCharge } from "../../src/model/charge/Issue.ts"
import { ChargeConflict } from "../../src/model/charge/chargeErrors.ts"
import { CompanyNotFound } from "../../src/model/directory/directoryErrors.ts"
import { ProcessorRejected, ProcessorUnavailable, StoreUnavailable } from "../../src/ports/portErrors.ts"
import type { IssueError } from "../../src/services/charges/PixCharges.ts"
import { makeIssueMany } from "../../src/services/charges/issueMany.ts"

const { issuer, amountCents } = aPendingCharge()
const aRequest = (): ChargeRequest => ({ id: aChargeId(), amountCents })
const requestsOf = (count: number) => Array.from({ length: count }, aRequest)

const unavailable = (retryAfterMs?: number) =>
  new ProcessorUnavailable({
    operation: "register",
    cause: "HTTP 429",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })

type Answer = (request: ChargeRequest, attempt: number) => Effect.Effect<void, IssueError>

/** A bank that answers each request with `answer`, and counts the attempts. */
const openBank = Effect.fnUntraced(function* (answer: Answer) {
  const attempts: Array<{ readonly id: string; readonly at: number }> = []
  let underWay = 0
  const seen = { maxUnderWay: 0, attempts, ended: 0 }
  const issue = Effect.fnUntraced(function* (_: unknown, request: ChargeRequest) {
    seen.maxUnderWay = Math.max(seen.maxUnderWay, ++underWay)
    const now = yield* Clock.currentTimeMillis
    attempts.push({ id: request.id, at: now })
    const attempt = attempts.filter(({ id }) => id === request.id).length
    yield* Effect.ensuring(
      answer(request, attempt),
      Effect.sync(() => void underWay--),
    )
    seen.ended++
    return { ...aPendingCharge({ id: request.id, updatedAt: now }), brCode: "code" } as IssuedCharge
  })
  const issueMany = makeIssueMany<IssueError>(issue, yield* FiberSet.make())
  let pulled = 0
  const source = (requests: ReadonlyArray<ChargeRequest>) =>
    Stream.fromIterable(requests, { chunkSize: 1 }).pipe(Stream.tap(() => Effect.sync(() => void pulled++)))
  return {
    seen,
    pulled: () => pulled,
    many: (requests: ReadonlyArray<ChargeRequest>) => issueMany(issuer, source(requests), Effect.succeed),
  }
})

const afterMs =
  (ms: number): Answer =>
  () =>
    Effect.sleep(ms)

/** Lets all fibers run that wait for no time. */
const settle = Effect.forEach(Array.from({ length: 100 }), () => Effect.yieldNow, { discard: true })

/** Lets the clock pass until the run ends. */
const finish = Effect.fnUntraced(function* <A, E>(run: Effect.Effect<A, E>, stepMs: number, steps: number) {
  const fiber = yield* Effect.forkChild(run, { startImmediately: true })
  for (let step = 0; step < steps && fiber.pollUnsafe() === undefined; step++) {
    yield* Effect.andThen(settle, TestClock.adjust(stepMs))
  }
  return yield* Fiber.await(fiber)
})

const collected = <A, E>(results: Stream.Stream<A, E>) => {
  const list: Array<A> = []
  return { list, run: Stream.runForEach(results, (result) => Effect.sync(() => void list.push(result))) }
}

describe("many charges", () => {
  it.effect("are issued more at a time while the answers stay quick, from 4 on", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(afterMs(20))
      const { list, run } = collected(bank.many(requestsOf(400)))
      expect(yield* finish(run, 20, 100)).toEqual(Exit.void)
      expect(list.map(({ done }) => done)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
      expect(bank.seen.maxUnderWay).toBeGreaterThan(20)
      expect(bank.seen.attempts.filter(({ at }) => at === bank.seen.attempts[0]?.at)).toHaveLength(4)
    }),
  )

  it.effect("stay few at a time at a bank that works on 4 at once", () =>
    Effect.gen(function* () {
      const free: Array<number> = [0, 0, 0, 0]
      const bank = yield* openBank(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const counter = free.indexOf(Math.min(...free))
          free[counter] = Math.max(now, free[counter] ?? 0) + 20
          return Effect.sleep(free[counter] - now)
        }),
      )
      const { list, run } = collected(bank.many(requestsOf(400)))
      // The bank's pace is 200 a second, so it needs 2 s.
      expect(yield* finish(run, 20, 110)).toEqual(Exit.void)
      expect(list).toHaveLength(400)
      expect(bank.seen.maxUnderWay).toBeLessThanOrEqual(16)
    }),
  )

  it.effect("that are stored already don't count for the bank's pace", () =>
    Effect.gen(function* () {
      let underWay = 0
      let maxUnderWay = 0
      const issueMany = makeIssueMany<IssueError>(
        Effect.fnUntraced(function* (_, { id }) {
          maxUnderWay = Math.max(maxUnderWay, ++underWay)
          yield* Effect.sleep(1)
          underWay--
          return { ...aPendingCharge({ id, updatedAt: -1 }), brCode: "code" }
        }),
        yield* FiberSet.make(),
      )
      const { list, run } = collected(issueMany(issuer, Stream.fromIterable(requestsOf(200)), Effect.succeed))
      yield* finish(run, 1, 100)
      expect(list).toHaveLength(200)
      expect(maxUnderWay).toBe(4)
    }),
  )

  it.effect("all wait as long as the bank says, and all are issued", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          now < 200 || now >= 30_200 ? Effect.sleep(20) : Effect.fail(unavailable(30_200 - now)),
        ),
      )
      const { list, run } = collected(bank.many(requestsOf(200)))
      expect(yield* finish(run, 20, 3_000)).toEqual(Exit.void)
      expect(list).toHaveLength(200)
      expect(list.every(({ charge }) => charge !== undefined)).toBe(true)
      // Only those under way are refused. No attempt begins during the pause.
      const refused = bank.seen.attempts.filter(({ at }) => at >= 200 && at < 30_200)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.length).toBeLessThan(25)
    }),
  )

  it.effect("end with the bank's error after three minutes without an answer", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => (now < 100 ? Effect.sleep(20) : Effect.fail(unavailable()))),
      )
      const { list, run } = collected(bank.many(requestsOf(1_000)))
      const exit = yield* finish(run, 1_000, 179)
      expect(exit.pipe(Exit.findErrorOption, Option.getOrUndefined)).toMatchObject({ _tag: "ProcessorUnavailable" })
      expect(list.length).toBeGreaterThan(0)
      expect(list.every(({ charge }) => charge !== undefined)).toBe(true)
      expect(bank.seen.attempts.length).toBeLessThan(1_000)
    }),
  )

  it.effect("end at once if the bank asks for a longer pause", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(() => Effect.fail(unavailable(3_600_000)))
      const exit = yield* finish(Stream.runDrain(bank.many(requestsOf(10))), 1, 2)
      expect(exit.pipe(Exit.findErrorOption, Option.getOrUndefined)).toMatchObject({ retryAfterMs: 3_600_000 })
      expect(bank.seen.attempts).toHaveLength(1)
    }),
  )

  it.effect("end with the bank's error even if the source was already read", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(() => Effect.fail(unavailable()))
      const exit = yield* finish(Stream.runDrain(bank.many(requestsOf(3))), 1_000, 180)
      expect(bank.pulled()).toBe(3)
      expect(exit.pipe(Exit.findErrorOption, Option.getOrUndefined)).toMatchObject({ _tag: "ProcessorUnavailable" })
    }),
  )

  it.effect("can contain unanswered requests, whose errors are their results", () =>
    Effect.gen(function* () {
      const odd = requestsOf(8)
      const isOdd = new Set<string>(odd.map(({ id }) => id))
      const bank = yield* openBank(({ id }) => (isOdd.has(id) ? Effect.fail(unavailable()) : Effect.sleep(1_000)))
      const { list, run } = collected(bank.many([...odd, ...requestsOf(4_000)]))
      expect(yield* finish(run, 1_000, 400)).toEqual(Exit.void)
      const unanswered = list.filter(({ error }) => error?._tag === "ProcessorUnavailable")
      expect(new Set(unanswered.map(({ request }) => request))).toEqual(new Set(odd))
      expect(list.at(-1)).toMatchObject({ done: 4_008, failed: 8 })
    }),
  )

  it.effect("have refusals as results", () =>
    Effect.gen(function* () {
      const refused = requestsOf(3)
      const errors = [
        new ChargeConflict({ issuer, id: refused[0]?.id ?? aChargeId() }),
        new ProcessorRejected({ operation: "register", status: 422, reason: Redacted.make("valor") }),
        new StoreUnavailable({ operation: "insert", cause: "22001", isRefused: true }),
      ]
      const bank = yield* openBank(({ id }) => {
        const error = errors[refused.findIndex((one) => one.id === id)]
        return error === undefined ? Effect.void : Effect.fail(error)
      })
      const { list, run } = collected(bank.many([...refused, aRequest()]))
      yield* run
      expect(list.flatMap(({ error }) => error ?? [])).toEqual(errors)
      expect(list.at(-1)).toMatchObject({ done: 4, failed: 3 })
      expect(bank.seen.attempts).toHaveLength(4)
    }),
  )

  const endings = [
    new CompanyNotFound({ issuer }),
    new ProcessorRejected({ operation: "register", status: 403, reason: Redacted.make("escopo") }),
  ]
  for (const ending of endings) {
    it.effect(`answer those under way before they end with ${ending._tag}`, () =>
      Effect.gen(function* () {
        const requests = requestsOf(50)
        const bank = yield* openBank(({ id }) =>
          id === requests[2]?.id ? Effect.andThen(Effect.sleep(10), Effect.fail(ending)) : Effect.sleep(1_000),
        )
        const { list, run } = collected(bank.many(requests))
        const exit = yield* finish(run, 500, 10)
        expect(exit).toEqual(Exit.fail(ending))
        expect(list.map(({ request }) => request)).toEqual([requests[0], requests[1], requests[3]])
        expect(bank.seen.attempts).toHaveLength(4)
      }),
    )
  }

  it.effect("end with a defect after those under way", () =>
    Effect.gen(function* () {
      const requests = requestsOf(8)
      const bank = yield* openBank(({ id }) =>
        id === requests[0]?.id ? Effect.andThen(Effect.sleep(10), Effect.die("broken")) : Effect.sleep(100),
      )
      const { list, run } = collected(bank.many(requests))
      expect(yield* finish(run, 100, 10)).toEqual(Exit.die("broken"))
      expect(list).toHaveLength(3)
    }),
  )

  it.effect("with the same id are issued one after the other, in the order of the source", () =>
    Effect.gen(function* () {
      const same = aRequest()
      const bank = yield* openBank((_, attempt) => (attempt === 1 ? Effect.fail(unavailable()) : Effect.sleep(20)))
      const requests = Array.from({ length: 6 }, (_, index) => ({ ...same, messageToPayer: String(index) }))
      const { list, run } = collected(bank.many(requests))
      expect(yield* finish(run, 20, 200)).toEqual(Exit.void)
      expect(list.map(({ request }) => request)).toEqual(requests)
      expect(bank.seen.maxUnderWay).toBe(1)
    }),
  )

  it.effect("are never more than 100 in memory, and are read as they are issued", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(afterMs(20))
      const pull = yield* Stream.toPull(bank.many(requestsOf(1_000)))
      const first = yield* Effect.forkChild(pull, { startImmediately: true })
      yield* settle
      // Four are being issued, one waits for its place, one is read ahead.
      expect(bank.pulled()).toBeLessThanOrEqual(6)
      yield* TestClock.adjust(20)
      yield* Fiber.join(first)
      yield* TestClock.adjust(10_000)
      expect(bank.pulled()).toBeGreaterThan(90)
      expect(bank.pulled()).toBeLessThanOrEqual(103)
    }),
  )

  it.effect("that are under way end, although the run is interrupted", () =>
    Effect.gen(function* () {
      const bank = yield* openBank(afterMs(1_000))
      const run = yield* Effect.forkChild(Stream.runDrain(bank.many(requestsOf(50))), { startImmediately: true })
      yield* Effect.andThen(settle, TestClock.adjust(500))
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(run), { startImmediately: true })
      yield* TestClock.adjust(100)
      expect(interrupting.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(400)
      yield* Fiber.join(interrupting)
      expect(bank.seen).toMatchObject({ ended: 4, maxUnderWay: 4 })
      expect(Exit.isFailure(yield* Fiber.await(run))).toBe(true)
    }),
  )

  it.effect("have what the source failed with after all results", () =>
    Effect.gen(function* () {
      const attempts = yield* FiberSet.make()
      const issueMany = makeIssueMany<IssueError>(
        (_, { id }) => Effect.as(Effect.sleep(50), { ...aPendingCharge({ id }), brCode: "code" }),
        attempts,
      )
      const source = Stream.concat(Stream.fromIterable(requestsOf(3)), Stream.failCause(Cause.fail("unreadable")))
      const { list, run } = collected(issueMany(issuer, source, Effect.succeed))
      expect(yield* finish(run, 50, 10)).toEqual(Exit.fail("unreadable"))
      expect(list).toHaveLength(3)
    }),
  )
})

import { DirectoryUnavailable, ProcessorUnavailable, StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { makeCheckWorker } from "../../src/reconcile/checkWorker.ts"
import type { CheckJob, DueCheck, Finding } from "../../src/reconcile/DueCheck.ts"

const startedAt = 1_000_000

/** A check of a company of its own, which moves nothing and is rescheduled nowhere. */
const aCheck = (at: number, given: Partial<DueCheck> = {}): DueCheck => ({
  label: `Item ${at}`,
  issuer: `${at}`.padStart(14, "0") as Cnpj,
  waitsSince: startedAt + 10 - 3_200_000,
  giveUpAt: startedAt,
  run: Effect.succeed(false),
  retryAt: (now) => now + 60_000,
  reschedule: () => Effect.void,
  ...given,
})

/** A worker that finds forty checks, and when it asks for them. */
const working = (
  scenario: (world: {
    readonly answers: ReadonlyArray<Latch.Latch>
    readonly claimedAt: ReadonlyArray<number>
  }) => Effect.Effect<void>,
) =>
  Effect.gen(function* () {
    const answers = Array.from({ length: 40 }, () => Latch.makeUnsafe())
    const checks = answers.map((answer, at) => aCheck(at, { run: Effect.as(answer.await, false) }))
    const claimedAt: Array<number> = []
    let given = 0
    const worker = yield* makeCheckWorker({
      claim: Effect.fnUntraced(function* ({ limit }) {
        claimedAt.push(yield* Clock.currentTimeMillis)
        const from = given
        given = Math.min(given + limit, checks.length)
        return checks.slice(from, given)
      }),
      maxAtOnce: 64,
      idleMs: { firstMs: 10_000, maxMs: 10_000 },
    })
    yield* Effect.forkScoped(worker.running)
    yield* TestClock.adjust(400)
    yield* scenario({ answers, claimedAt })
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
    working(({ answers, claimedAt }) =>
      Effect.gen(function* () {
        answers[0]?.openUnsafe()
        yield* TestClock.adjust(1)
        expect(claimedAt).toHaveLength(4)
        answers[1]?.openUnsafe()
        yield* TestClock.adjust(1)
        expect(claimedAt[4]).toBe(401)
      }),
    ))
})

/** A worker of which one claim finds these checks; what is scheduled, by check, what it finds and logs. */
const workerOf = Effect.fnUntraced(function* (checks: ReadonlyArray<DueCheck>, job: Partial<CheckJob> = {}) {
  const scheduled: Array<readonly [string, number | undefined]> = []
  const found: Array<Finding> = []
  const recorded = checks.map((check): DueCheck => ({
    ...check,
    reschedule: (checkAt) =>
      Effect.tap(check.reschedule(checkAt), () => Effect.sync(() => void scheduled.push([check.label, checkAt]))),
  }))
  let isClaimed = false
  const worker = yield* makeCheckWorker({
    claim: () => Effect.sync(() => (isClaimed ? [] : ((isClaimed = true), recorded))),
    onFinding: (finding) => Effect.sync(() => void found.push(finding)),
    maxAtOnce: 64,
    idleMs: { firstMs: 10_000, maxMs: 10_000 },
    ...job,
  })
  return { ...worker, scheduled, found }
})

const logging = <A, E>(use: (logged: ReadonlyArray<string>) => Effect.Effect<A, E, Scope.Scope>): Promise<A> => {
  const logged: Array<string> = []
  const note = ({ message }: { readonly message: unknown }) => void logged.push(String((message as [unknown])[0]))
  return Effect.andThen(TestClock.setTime(startedAt), use(logged)).pipe(
    Effect.scoped,
    Effect.provide(Logger.layer([Logger.make(note)])),
    Effect.provide(TestClock.layer()),
    Effect.runPromise,
  )
}

describe("a check", () => {
  it("has moved something where it says so, and nothing else", () =>
    logging((logged) =>
      Effect.gen(function* () {
        const moves = yield* workerOf([aCheck(1, { run: Effect.succeed(true) })])
        expect(yield* moves.round(Infinity)).toEqual({ findings: ["moved"], more: false })
        const stays = yield* workerOf([aCheck(1)])
        expect(yield* stays.round(Infinity)).toEqual({ findings: ["unchanged"], more: false })
        expect([moves.found, stays.found, stays.scheduled, logged]).toEqual([["moved"], ["unchanged"], [], []])
      }),
    ))

  it.each([
    [undefined, 1_000],
    [Number.NaN, 1_000],
    [70_000, 60_000],
  ])("without an answer is repeated after a rest, which the bank may wish for: %s ms", (retryAfterMs, restMs) =>
    logging((logged) =>
      Effect.gen(function* () {
        const silent = new ProcessorUnavailable({
          operation: "lookup",
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        })
        const worker = yield* workerOf([aCheck(1, { run: Effect.fail(silent), retryAt: (now) => now + 5 })])
        expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
        expect([worker.scheduled, logged]).toEqual([[["Item 1", startedAt + restMs]], []])
      }),
    ),
  )

  it("that takes longer than 75 s has no answer", () =>
    logging(() =>
      Effect.gen(function* () {
        const worker = yield* workerOf([aCheck(1, { run: Effect.never })])
        const round = yield* Effect.forkChild(worker.round(Infinity))
        yield* TestClock.adjust(74_999)
        expect(worker.found).toEqual([])
        yield* TestClock.adjust(1)
        expect((yield* Fiber.join(round)).findings).toEqual(["unanswered"])
      }),
    ))

  it("that has no answer within the time of its round is left, and more is due", () =>
    logging(() =>
      Effect.gen(function* () {
        const worker = yield* workerOf([aCheck(1, { run: Effect.never }), aCheck(2)])
        const round = yield* Effect.forkChild(worker.round(1_000))
        yield* TestClock.adjust(1_000)
        expect(yield* Fiber.join(round)).toEqual({ findings: ["unchanged"], more: true })
        expect(worker.scheduled).toEqual([])
      }),
    ))

  it.each([
    ["a defect", Effect.die(new Error("unreadable")), true],
    ["the store", Effect.fail(new StoreUnavailable({ operation: "commit" })), false],
    ["the directory", Effect.fail(new DirectoryUnavailable({ operation: "find" })), false],
  ] as const)("that fails by %s ends the checks that are over, unless the trouble is ours", (_, run, isGivenUp) =>
    logging((logged) =>
      Effect.gen(function* () {
        const worker = yield* workerOf([aCheck(1, { run })])
        expect((yield* worker.round(Infinity)).findings).toEqual(["failed"])
        expect(worker.scheduled).toEqual([["Item 1", isGivenUp ? undefined : startedAt + 60_000]])
        expect(logged).toEqual([`Item 1 could not be checked${isGivenUp ? ", and is given up" : ""}`])
      }),
    ),
  )

  it.each([startedAt + 1, undefined])("that fails before it is given up, at %s, is due again", (giveUpAt) =>
    logging(() =>
      Effect.gen(function* () {
        const { giveUpAt: _, ...check } = aCheck(1, { run: Effect.die("unreadable") })
        const worker = yield* workerOf([{ ...check, ...(giveUpAt !== undefined && { giveUpAt }) }])
        yield* worker.round(Infinity)
        expect(worker.scheduled).toEqual([["Item 1", startedAt + 60_000]])
      }),
    ),
  )

  it("whose next turn can't be written is logged, and its finding counts", () =>
    logging((logged) =>
      Effect.gen(function* () {
        const worker = yield* workerOf([
          aCheck(1, {
            run: Effect.fail(new ProcessorUnavailable({ operation: "lookup" })),
            reschedule: () => Effect.fail(new StoreUnavailable({ operation: "scheduleCharge" })),
          }),
        ])
        expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
        expect(logged).toEqual(["The next check of Item 1 could not be set"])
      }),
    ))

  it("that finds no place is due again in two seconds, and by its age where the company's bank doesn't answer", () =>
    logging(() =>
      Effect.gen(function* () {
        const second = aCheck(1, { label: "second" })
        const busy = yield* workerOf([aCheck(1, { run: Effect.delay(Effect.succeed(false), 10) }), second])
        const round = yield* Effect.forkChild(busy.round(Infinity))
        yield* TestClock.adjust(10)
        expect((yield* Fiber.join(round)).findings).toEqual(["unchanged"])
        expect(busy.scheduled).toEqual([["second", startedAt + 2_000]])
        const silent = aCheck(1, { run: Effect.fail(new ProcessorUnavailable({ operation: "lookup" })) })
        const deferredAt: Array<number | undefined> = []
        const deferred = aCheck(1, { reschedule: (checkAt) => Effect.sync(() => void deferredAt.push(checkAt)) })
        let claims = 0
        const resting = yield* workerOf([], { claim: () => Effect.sync(() => [claims++ === 0 ? silent : deferred]) })
        yield* resting.round(Infinity)
        expect((yield* resting.round(Infinity)).findings).toEqual([])
        // A 32nd of its age.
        expect(deferredAt).toEqual([startedAt + 10 + 100_000])
      }),
    ))
})

describe("a worker whose claims", () => {
  it("fail says so, and claims again", () =>
    logging((logged) =>
      Effect.gen(function* () {
        let claims = 0
        const failing = () => (claims++, Effect.fail(new StoreUnavailable({ operation: "claimCharges" })))
        const worker = yield* workerOf([], { claim: failing, idleMs: { firstMs: 100, maxMs: 100 } })
        yield* Effect.forkScoped(worker.running)
        yield* TestClock.adjust(100)
        expect([claims, logged]).toEqual([
          2,
          ["The checks that are due could not be read", "The checks that are due could not be read"],
        ])
      }),
    ))

  it("find nothing waits twice as long each time, up to a bound, and the first time again once they found something", () =>
    logging(() =>
      Effect.gen(function* () {
        const at: Array<number> = []
        const claim = Effect.fnUntraced(function* () {
          at.push((yield* Clock.currentTimeMillis) - startedAt)
          return at.length === 5 ? [aCheck(1)] : []
        })
        const worker = yield* workerOf([], { claim, idleMs: { firstMs: 100, maxMs: 700 } })
        yield* Effect.forkScoped(worker.running)
        for (let step = 0; step < 40; step++) yield* TestClock.adjust(100)
        expect(at.slice(0, 8)).toEqual([0, 200, 600, 1_300, 2_000, 2_100, 2_300, 2_700])
      }),
    ))
})

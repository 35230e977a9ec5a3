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
import { type CheckJob, type Finding, makeCheckWorker } from "../../src/reconcile/checkWorker.ts"

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

interface Item {
  readonly issuer: Cnpj
  readonly version: number
}

const item = (at: number): Item => ({ issuer: `${at}`.padStart(14, "0") as Cnpj, version: 1 })

const startedAt = 1_000_000

/** A worker of which one claim finds these items; what it schedules, finds and logs. */
const workerOf = Effect.fnUntraced(function* (items: ReadonlyArray<Item>, job: Partial<CheckJob<Item>>) {
  const scheduled: Array<readonly [Item, number | undefined]> = []
  const found: Array<Finding> = []
  let isClaimed = false
  const worker = yield* makeCheckWorker<Item>({
    label: ({ issuer }) => `Item ${Number(issuer)}`,
    issuer: ({ issuer }) => issuer,
    claim: () => Effect.sync(() => (isClaimed ? [] : ((isClaimed = true), items))),
    check: Effect.succeed,
    schedule: (one, checkAt) => Effect.sync(() => void scheduled.push([one, checkAt])),
    since: () => startedAt + 10 - 3_200_000,
    repeatedAt: (_, now) => now + 60_000,
    isOver: () => true,
    onFinding: (finding) => Effect.sync(() => void found.push(finding)),
    mostAtOnce: 64,
    idleMs: { first: 10_000, longest: 10_000 },
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
  const one = item(1)

  it("has moved what has another version after it, and nothing else", () =>
    logging((logged) =>
      Effect.gen(function* () {
        const moves = yield* workerOf([one], { check: (given) => Effect.succeed({ ...given, version: 2 }) })
        expect(yield* moves.round(Infinity)).toEqual({ findings: ["moved"], more: false })
        const stays = yield* workerOf([one], {})
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
        const worker = yield* workerOf([one], { check: () => Effect.fail(silent), repeatedAt: (_, now) => now + 5 })
        expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
        expect([worker.scheduled, logged]).toEqual([[[one, startedAt + restMs]], []])
      }),
    ),
  )

  it("that takes longer than 75 s has no answer", () =>
    logging(() =>
      Effect.gen(function* () {
        const worker = yield* workerOf([one], { check: () => Effect.never })
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
        const check = ({ issuer }: Item) => (issuer === one.issuer ? Effect.never : Effect.succeed(item(2)))
        const worker = yield* workerOf([one, item(2)], { check })
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
  ] as const)("that fails by %s ends the checks that are over, unless the trouble is ours", (_, failure, isOver) =>
    logging((logged) =>
      Effect.gen(function* () {
        const worker = yield* workerOf([one], { check: () => failure })
        expect((yield* worker.round(Infinity)).findings).toEqual(["failed"])
        expect(worker.scheduled).toEqual([[one, isOver ? undefined : startedAt + 60_000]])
        expect(logged).toEqual([`Item 1 could not be checked${isOver ? ", and is given up" : ""}`])
      }),
    ),
  )

  it("whose next turn can't be written is logged, and its finding counts", () =>
    logging((logged) =>
      Effect.gen(function* () {
        const worker = yield* workerOf([one], {
          check: () => Effect.fail(new ProcessorUnavailable({ operation: "lookup" })),
          schedule: () => Effect.fail(new StoreUnavailable({ operation: "scheduleCharge" })),
        })
        expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
        expect(logged).toEqual(["The next check of Item 1 could not be set"])
      }),
    ))

  it("that finds no place is due again in two seconds, and by its age where the company's bank doesn't answer", () =>
    logging(() =>
      Effect.gen(function* () {
        const second = { ...one, version: 2 }
        const busy = yield* workerOf([one, second], { check: (given) => Effect.delay(Effect.succeed(given), 10) })
        const round = yield* Effect.forkChild(busy.round(Infinity))
        yield* TestClock.adjust(10)
        expect((yield* Fiber.join(round)).findings).toEqual(["unchanged"])
        expect(busy.scheduled).toEqual([[second, startedAt + 2_000]])
        let claims = 0
        const resting = yield* workerOf([], {
          check: () => Effect.fail(new ProcessorUnavailable({ operation: "lookup" })),
          claim: () => Effect.sync(() => (claims++ === 0 ? [one] : [second])),
        })
        yield* resting.round(Infinity)
        expect((yield* resting.round(Infinity)).findings).toEqual([])
        // A 32nd of its age.
        expect(resting.scheduled.at(-1)).toEqual([second, startedAt + 10 + 100_000])
      }),
    ))
})

describe("a worker whose claims", () => {
  it("fail says so, and claims again", () =>
    logging((logged) =>
      Effect.gen(function* () {
        let claims = 0
        const failing = () => (claims++, Effect.fail(new StoreUnavailable({ operation: "claimCharges" })))
        const worker = yield* workerOf([], { claim: failing, idleMs: { first: 100, longest: 100 } })
        yield* Effect.forkScoped(worker.running)
        yield* TestClock.adjust(100)
        expect([claims, logged]).toEqual([
          2,
          ["The checks that are due could not be read", "The checks that are due could not be read"],
        ])
      }),
    ))

  it("find nothing waits twice as long each time, up to a bound, and anew once they found something", () =>
    logging(() =>
      Effect.gen(function* () {
        const at: Array<number> = []
        const claim = Effect.fnUntraced(function* () {
          at.push((yield* Clock.currentTimeMillis) - startedAt)
          return at.length === 5 ? [one] : []
        })
        const one = item(1)
        const worker = yield* workerOf([], { claim, idleMs: { first: 100, longest: 700 } })
        yield* Effect.forkScoped(worker.running)
        for (let step = 0; step < 40; step++) yield* TestClock.adjust(100)
        expect(at.slice(0, 8)).toEqual([0, 200, 600, 1_300, 2_000, 2_100, 2_300, 2_700])
      }),
    ))
})

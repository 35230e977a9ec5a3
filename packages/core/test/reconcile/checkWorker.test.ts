import { DirectoryUnavailable, ProcessorUnavailable, StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { it, itWith } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  type CheckJob,
  type DueCheck,
  type Finding,
  makeCheckWorker,
} from "../../src/services/reconcile/checkWorker.ts"

const startedAt = 1_000_000

/** A check of the company number `at`. It makes no change. */
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

/** Starts a worker that finds forty checks. Returns the latches of their answers, and the times of the claims. */
const startWorker = Effect.gen(function* () {
  const answers = Array.from({ length: 40 }, () => Latch.makeUnsafe())
  const checks = answers.map((answer, index) => aCheck(index, { run: Effect.as(answer.await, false) }))
  const claimedAt: Array<number> = []
  let given = 0
  const worker = yield* makeCheckWorker({
    claim: Effect.fnUntraced(function* ({ limit }) {
      claimedAt.push(yield* Clock.currentTimeMillis)
      const from = given
      given = Math.min(given + limit, checks.length)
      return checks.slice(from, given)
    }),
    kind: "charges",
    maxAtOnce: 64,
  })
  yield* Effect.forkScoped(worker.running(Effect.never))
  yield* TestClock.adjust(400)
  return { answers, claimedAt }
})

describe("makeCheckWorker", () => {
  it.effect("waits a second before the next claim while more than three quarters of the places are taken", () =>
    Effect.gen(function* () {
      const { claimedAt } = yield* startWorker
      expect(claimedAt).toEqual([0, 0, 0, 0])
      yield* TestClock.adjust(599)
      expect(claimedAt).toHaveLength(4)
      yield* TestClock.adjust(1)
      expect(claimedAt[4]).toBe(1_000)
    }),
  )

  it.effect("claims as soon as a quarter of the places is free again", () =>
    Effect.gen(function* () {
      const { answers, claimedAt } = yield* startWorker
      answers[0]?.openUnsafe()
      yield* TestClock.adjust(1)
      expect(claimedAt).toHaveLength(4)
      answers[1]?.openUnsafe()
      yield* TestClock.adjust(1)
      expect(claimedAt[4]).toBe(401)
    }),
  )
})

/** A worker that finds these checks in one claim. */
const workerOf = Effect.fnUntraced(function* (checks: ReadonlyArray<DueCheck>, job: Partial<CheckJob> = {}) {
  const scheduled: Array<readonly [string, number | undefined]> = []
  const findings: Array<Finding> = []
  const recorded = checks.map((check): DueCheck => ({
    ...check,
    reschedule: (checkAt) =>
      Effect.tap(check.reschedule(checkAt), () => Effect.sync(() => void scheduled.push([check.label, checkAt]))),
  }))
  let isClaimed = false
  const worker = yield* makeCheckWorker({
    claim: () => Effect.sync(() => (isClaimed ? [] : ((isClaimed = true), recorded))),
    onFinding: (finding) => Effect.sync(() => void findings.push(finding)),
    kind: "charges",
    maxAtOnce: 64,
    ...job,
  })
  return { ...worker, scheduled, findings }
})

class Logged extends Context.Service<Logged, Array<string>>()("Logged") {}

const logging = itWith(
  Layer.unwrap(
    Effect.gen(function* () {
      yield* TestClock.setTime(startedAt)
      const logged: Array<string> = []
      const note = Logger.make(({ message }) => void logged.push(String((message as [unknown])[0])))
      return Layer.merge(Layer.succeed(Logged, logged), Logger.layer([note]))
    }),
  ),
)

describe("a worker's checks", () => {
  logging.effect("reports whether a check has changed something", () =>
    Effect.gen(function* () {
      const logged = yield* Logged
      const moves = yield* workerOf([aCheck(1, { run: Effect.succeed(true) })])
      expect(yield* moves.round(Infinity)).toEqual({ findings: ["moved"], more: false })
      const stays = yield* workerOf([aCheck(1)])
      expect(yield* stays.round(Infinity)).toEqual({ findings: ["unchanged"], more: false })
      expect([moves.findings, stays.findings, stays.scheduled, logged]).toEqual([["moved"], ["unchanged"], [], []])
    }),
  )

  for (const [retryAfterMs, restMs] of [
    [undefined, 1_000],
    [Number.NaN, 1_000],
    [70_000, 60_000],
  ] as const) {
    logging.effect(`repeats an unanswered check after a cool-down, with a Retry-After of ${retryAfterMs} ms`, () =>
      Effect.gen(function* () {
        const logged = yield* Logged
        const silent = new ProcessorUnavailable({
          operation: "lookup",
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        })
        const worker = yield* workerOf([aCheck(1, { run: Effect.fail(silent), retryAt: (now) => now + 5 })])
        expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
        expect([worker.scheduled, logged]).toEqual([[["Item 1", startedAt + restMs]], []])
      }),
    )
  }

  logging.effect("counts a check as unanswered after 75 s", () =>
    Effect.gen(function* () {
      const worker = yield* workerOf([aCheck(1, { run: Effect.never })])
      const round = yield* Effect.forkChild(worker.round(Infinity))
      yield* TestClock.adjust(74_999)
      expect(worker.findings).toEqual([])
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(round)).findings).toEqual(["unanswered"])
    }),
  )

  logging.effect("reports no finding of a check that the end of its round interrupts", () =>
    Effect.gen(function* () {
      const worker = yield* workerOf([aCheck(1, { run: Effect.never }), aCheck(2)])
      const round = yield* Effect.forkChild(worker.round(1_000))
      yield* TestClock.adjust(1_000)
      expect(yield* Fiber.join(round)).toEqual({ findings: ["unchanged"], more: true })
      expect(worker.scheduled).toEqual([])
    }),
  )

  for (const [what, run, isGivenUp] of [
    ["a defect", Effect.die(new Error("unreadable")), true],
    ["the store", Effect.fail(new StoreUnavailable({ operation: "commit" })), false],
    ["the directory", Effect.fail(new DirectoryUnavailable({ operation: "find" })), false],
  ] as const) {
    logging.effect(`${isGivenUp ? "gives up" : "repeats"} a check after its end if ${what} caused the failure`, () =>
      Effect.gen(function* () {
        const logged = yield* Logged
        const worker = yield* workerOf([aCheck(1, { run })])
        expect((yield* worker.round(Infinity)).findings).toEqual(["failed"])
        expect(worker.scheduled).toEqual([["Item 1", isGivenUp ? undefined : startedAt + 60_000]])
        expect(logged).toEqual([`Item 1 could not be checked${isGivenUp ? ", and is given up" : ""}`])
      }),
    )
  }

  for (const giveUpAt of [startedAt + 1, undefined]) {
    logging.effect(`repeats a failed check whose \`giveUpAt\` is ${giveUpAt}`, () =>
      Effect.gen(function* () {
        const { giveUpAt: _, ...check } = aCheck(1, { run: Effect.die("unreadable") })
        const worker = yield* workerOf([{ ...check, ...(giveUpAt !== undefined && { giveUpAt }) }])
        yield* worker.round(Infinity)
        expect(worker.scheduled).toEqual([["Item 1", startedAt + 60_000]])
      }),
    )
  }

  logging.effect("counts a check whose next time can't be written, and logs the failure", () =>
    Effect.gen(function* () {
      const logged = yield* Logged
      const worker = yield* workerOf([
        aCheck(1, {
          run: Effect.fail(new ProcessorUnavailable({ operation: "lookup" })),
          reschedule: () => Effect.fail(new StoreUnavailable({ operation: "scheduleCharge" })),
        }),
      ])
      expect((yield* worker.round(Infinity)).findings).toEqual(["unanswered"])
      expect(logged).toEqual(["The next check of Item 1 could not be set"])
    }),
  )

  logging.effect("defers a check without a place by two seconds, or by a share of its age if the bank is silent", () =>
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
      // The check is deferred by a 32nd of its age.
      expect(deferredAt).toEqual([startedAt + 10 + 100_000])
    }),
  )
})

describe("a worker", () => {
  logging.effect("logs a failed claim, and claims again", () =>
    Effect.gen(function* () {
      const logged = yield* Logged
      let claims = 0
      const failing = () => (claims++, Effect.fail(new StoreUnavailable({ operation: "claimCharges" })))
      const worker = yield* workerOf([], { claim: failing })
      yield* Effect.forkScoped(worker.running(Effect.sleep(100)))
      yield* TestClock.adjust(100)
      expect([claims, logged]).toEqual([
        2,
        ["The checks that are due could not be read", "The checks that are due could not be read"],
      ])
    }),
  )

  logging.effect("claims once each time it hears of due checks, and again soon after it deferred a check", () =>
    Effect.gen(function* () {
      const at: Array<number> = []
      const isSilent = { run: Effect.fail(new ProcessorUnavailable({ operation: "lookup" })) }
      const claim = Effect.fnUntraced(function* () {
        at.push((yield* Clock.currentTimeMillis) - startedAt)
        return at.length === 2 ? [aCheck(1, isSilent), aCheck(1)] : []
      })
      const worker = yield* workerOf([], { claim })
      yield* Effect.forkScoped(worker.running(Effect.sleep(5_000)))
      for (let step = 0; step < 18; step++) yield* TestClock.adjust(1_000)
      expect(at).toEqual([0, 5_000, 7_000, 12_000, 17_000])
    }),
  )
})

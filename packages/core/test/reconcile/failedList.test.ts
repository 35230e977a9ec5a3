import { ChargeStore, ProcessorUnavailable, StoreUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aCnpj, aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aSweep, emptyPage } from "./aSweep.ts"
import type { RecordPage } from "../../src/services/reconcile/recordPage.ts"

const hour = 3_600_000
const day = 24 * hour

/** A company whose run begins at `fixtureNow`, with a bank that lists so. */
const opened = Effect.fnUntraced(function* (recordPage: RecordPage) {
  yield* TestClock.setTime(fixtureNow)
  yield* (yield* ChargeStore).insert(aPendingCharge())
  const sweep = yield* aSweep(recordPage)
  /** Resumes what is due, and returns the time from which the books are known to hold what the bank has. */
  return Effect.gen(function* () {
    const claimed = yield* sweep.claim
    if (claimed !== undefined) yield* sweep.runTurn(claimed, 60_000)
    return claimed?.reconciledUntil
  })
})

const { effect } = itWith(memoryStore())
const silently = Effect.provideService(References.MinimumLogLevel, "None")

/** What is logged meanwhile. */
const logging = (logged: Array<string>) =>
  Effect.provide(
    Logger.layer([
      Logger.make<unknown, void>(({ message }) => void logged.push(String((message as ReadonlyArray<unknown>)[0]))),
    ]),
  )

effect("a list that fails, or breaks, is logged with whose it is", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    let lists = 0
    const turn = yield* opened(() =>
      Effect.suspend(() =>
        lists++ === 0
          ? new ProcessorUnavailable({ operation: "payments", cause: "HTTP 503" })
          : Effect.die(new Error("odd")),
      ),
    )
    for (let turns = 0; turns < 2; turns++) {
      yield* turn
      yield* TestClock.adjust("1 hour")
    }
    expect(logged).toEqual([
      `The payments of ${aCnpj} could not be listed`,
      `The payments of ${aCnpj} could not be compared`,
    ])
  }).pipe(logging(logged))
})

effect("companies that can't be read are logged, and read again", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    const enter = () => Effect.fail(new StoreUnavailable({ operation: "enter" }))
    const sweep = yield* aSweep(() => Effect.succeed(emptyPage), { enter })
    expect([yield* sweep.claim, yield* sweep.claim]).toEqual([undefined, undefined])
    const complaint = "The companies to reconcile could not be read"
    expect(logged).toEqual([complaint, complaint])
  }).pipe(logging(logged))
})

effect("a list that fails without saying for how long is asked for again within an hour", () =>
  Effect.gen(function* () {
    let lists = 0
    const turn = yield* opened(() =>
      Effect.suspend(() => {
        lists += 1
        return new ProcessorUnavailable({ operation: "payments", cause: "odd", retryAfterMs: Number.NaN })
      }),
    )
    yield* turn
    yield* TestClock.adjust("1 hour")
    yield* turn
    expect(lists).toBe(2)
  }).pipe(silently),
)

effect("what can't be recorded is listed again for eight days, and then left out", () =>
  Effect.gen(function* () {
    const turn = yield* opened(() => Effect.succeed({ ...emptyPage, failed: 1 }))
    const first = yield* turn
    let now = fixtureNow
    let until = first
    while (until === first && now < fixtureNow + 20 * day) {
      yield* TestClock.adjust("1 hour")
      now += hour
      until = (yield* turn) ?? until
    }
    // The turn that leaves it out shows in the next one, an hour later: older returns can't be recorded, either.
    expect(now - fixtureNow).toBe(8 * day + hour)
  }).pipe(silently),
)

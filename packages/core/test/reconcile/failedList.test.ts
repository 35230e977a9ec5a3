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

const makeTurn = Effect.fnUntraced(function* (recordPage: RecordPage) {
  yield* TestClock.setTime(fixtureNow)
  yield* (yield* ChargeStore).insert(aPendingCharge())
  const sweep = yield* aSweep(recordPage)
  /** Returns the time until which the books are reconciled. */
  return Effect.gen(function* () {
    const claimed = yield* sweep.claim
    if (claimed !== undefined) yield* sweep.runTurn(claimed, 60_000)
    return claimed?.reconciledUntil
  })
})

const { effect } = itWith(memoryStore())
const silently = Effect.provideService(References.MinimumLogLevel, "None")

const logging = (logged: Array<string>) =>
  Effect.provide(
    Logger.layer([
      Logger.make<unknown, void>(({ message }) => void logged.push(String((message as ReadonlyArray<unknown>)[0]))),
    ]),
  )

effect("logs the company of a list that fails or throws", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    let lists = 0
    const turn = yield* makeTurn(() =>
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

effect("logs a failure to read the companies, and reads them again", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    const enter = () => Effect.fail(new StoreUnavailable({ operation: "enter" }))
    const sweep = yield* aSweep(() => Effect.succeed(emptyPage), { enter })
    expect([yield* sweep.claim, yield* sweep.claim]).toEqual([undefined, undefined])
    const complaint = "The companies to reconcile could not be read"
    expect(logged).toEqual([complaint, complaint])
  }).pipe(logging(logged))
})

effect("repeats a failed list with an invalid Retry-After within an hour", () =>
  Effect.gen(function* () {
    let lists = 0
    const turn = yield* makeTurn(() =>
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

effect("tries for eight days to record a payment, then skips it", () =>
  Effect.gen(function* () {
    const turn = yield* makeTurn(() => Effect.succeed({ ...emptyPage, failed: 1 }))
    const first = yield* turn
    let now = fixtureNow
    let until = first
    while (until === first && now < fixtureNow + 20 * day) {
      yield* TestClock.adjust("1 hour")
      now += hour
      until = (yield* turn) ?? until
    }
    // The extra hour: the list of older payments with returns fails, too.
    expect(now - fixtureNow).toBe(8 * day + hour)
  }).pipe(silently),
)

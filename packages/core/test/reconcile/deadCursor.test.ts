import { ChargeStore, ProcessorUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aSweep, emptyPage } from "./aSweep.ts"
import type { RecordPage } from "../../src/services/reconcile/recordPage.ts"

const day = 86_400_000

/** A bank that forgets its cursors at a restart. */
const makeBank = () => {
  const cursors: Array<string | undefined> = []
  let life = 1
  const recordPage: RecordPage = (_, __, cursor) =>
    Effect.suspend(() => {
      cursors.push(cursor)
      if (cursor === undefined) return Effect.succeed({ ...emptyPage, cursor: `${life}` })
      if (cursor === `${life}` && life > 1) return Effect.succeed(emptyPage)
      return Effect.fail(new ProcessorUnavailable({ operation: "payments", cause: "no such cursor" }))
    })
  const restart = () => {
    life += 1
  }
  return { cursors, recordPage, restart }
}

itWith(memoryStore()).effect("restarts a run a day after its bank has forgotten the cursor", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    yield* (yield* ChargeStore).insert(aPendingCharge())
    const bank = makeBank()
    const sweep = yield* aSweep(bank.recordPage)
    const next = Effect.flatMap(sweep.claim, (claimed) => (claimed ? sweep.runTurn(claimed) : Effect.void))
    yield* next
    expect(bank.cursors).toEqual([undefined, "1"])
    bank.restart()
    const hours = (count: number) =>
      Effect.gen(function* () {
        for (let hour = 0; hour < count; hour++) {
          yield* TestClock.adjust("1 hour")
          yield* next
        }
      })
    yield* hours(23)
    expect(new Set(bank.cursors.slice(2))).toEqual(new Set(["1"]))
    yield* hours(3)
    expect(bank.cursors.slice(-2)).toEqual([undefined, "2"])
    // The run has ended: no list is requested until the next day.
    const requests = bank.cursors.length
    yield* TestClock.adjust(day - 2 * 3_600_000)
    yield* next
    expect(bank.cursors).toHaveLength(requests)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
)

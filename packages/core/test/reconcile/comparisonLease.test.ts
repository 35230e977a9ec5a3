import { ChargeStore } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aSweep, emptyPage } from "./aSweep.ts"

itWith(memoryStore()).effect("lets another process claim a dead process's comparison after five minutes", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    const charge = aPendingCharge()
    yield* (yield* ChargeStore).insert(charge)
    const one = yield* aSweep(() => Effect.never)
    expect(yield* one.claim).toMatchObject({ issuer: charge.issuer })
    const another = yield* aSweep(() => Effect.never)
    yield* TestClock.adjust(5 * 60_000 - 1)
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* another.claim).toMatchObject({ issuer: charge.issuer })
  }),
)

itWith(memoryStore()).effect("keeps a process's claim of a comparison for five minutes after each page", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    yield* (yield* ChargeStore).insert(aPendingCharge())
    const slow = yield* aSweep((_, __, cursor) =>
      cursor === undefined ? Effect.delay(Effect.succeed({ ...emptyPage, cursor: "2" }), "4 minutes") : Effect.never,
    )
    const claimed = yield* slow.claim
    if (claimed === undefined) throw new Error("expected a company whose turn has come")
    yield* Effect.forkChild(slow.runTurn(claimed))
    const another = yield* aSweep(() => Effect.never)
    yield* TestClock.adjust("4 minutes")
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(5 * 60_000 - 1)
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* another.claim).toMatchObject({ run: { cursor: "2" } })
  }),
)

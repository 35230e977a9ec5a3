import { ChargeStore, Reconciliations } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import { itWith } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { makeDailyReconciliation } from "../../src/service/reconcile/dailyReconciliation.ts"

itWith(memoryStore()).effect("a comparison whose process died is claimed by another five minutes later", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    const charge = aPendingCharge()
    yield* (yield* ChargeStore).insert(charge)
    const reconciliations = yield* Reconciliations
    const aProcess = () => makeDailyReconciliation(reconciliations, () => Effect.never)
    expect(yield* aProcess().claim).toMatchObject({ issuer: charge.issuer })
    const another = aProcess()
    yield* TestClock.adjust(5 * 60_000 - 1)
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* another.claim).toMatchObject({ issuer: charge.issuer })
  }),
)

itWith(memoryStore()).effect("a comparison is its process's for five minutes from each page on", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(fixtureNow)
    yield* (yield* ChargeStore).insert(aPendingCharge())
    const reconciliations = yield* Reconciliations
    const page = { listed: [], payments: 0, returns: 0, unnamed: [], failed: 0, unreadable: 0, cursor: "2" }
    const slow = makeDailyReconciliation(reconciliations, (_, __, cursor) =>
      cursor === undefined ? Effect.delay(Effect.succeed(page), "4 minutes") : Effect.never,
    )
    const claimed = yield* slow.claim
    if (claimed === undefined) throw new Error("a company's turn has come")
    yield* Effect.forkChild(slow.carryOn(claimed))
    const another = makeDailyReconciliation(reconciliations, () => Effect.never)
    yield* TestClock.adjust("4 minutes")
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(5 * 60_000 - 1)
    expect(yield* another.claim).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* another.claim).toMatchObject({ run: { cursor: "2" } })
  }),
)

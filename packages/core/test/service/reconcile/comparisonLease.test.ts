import { ChargeStore, Reconciliations } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import { itWith } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { makeDailyReconciliation } from "../../../src/service/reconcile/dailyReconciliation.ts"

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

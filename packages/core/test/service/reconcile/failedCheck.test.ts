import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aReconciler, anIssuedCharge, scenario } from "../World.ts"

scenario("a check that fails is logged with the id of its charge", (world) =>
  Effect.gen(function* () {
    const { round } = yield* aReconciler
    const { id } = yield* anIssuedCharge()
    world.bank.fail("lookup", "defect")
    yield* TestClock.adjust("46 seconds")
    yield* round
    expect(world.logged).toContain(`Warn Charge ${id} could not be checked`)
  }),
)

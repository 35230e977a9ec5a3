import { Reconciler } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aReconciler, anIssuedCharge, scenario } from "../service/World.ts"

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

scenario("a check that fails 30 days after the charge's watch is the last, and that is logged", (world) =>
  Effect.gen(function* () {
    const { round } = Context.get(yield* Layer.build(Layer.fresh(Reconciler.onDemand)), Reconciler)
    const { id, watchUntil } = yield* anIssuedCharge()
    world.bank.fail("lookup", "defect")
    yield* TestClock.setTime(watchUntil + 30 * 86_400_000)
    yield* round
    expect(world.logged).toContain(`Warn Charge ${id} could not be checked, and is given up`)
    yield* TestClock.adjust("10 days")
    yield* round
    expect(world.bank.calls.filter((call) => call === "lookup")).toHaveLength(1)
  }),
)

scenario("a check that fails is counted as failed, by a counter that only rises", (world) =>
  Effect.gen(function* () {
    const { round } = yield* aReconciler
    yield* anIssuedCharge()
    world.bank.fail("lookup", "defect")
    yield* TestClock.adjust("46 seconds")
    yield* round
    const checks = (yield* Metric.snapshot).filter(({ id }) => id === "pix_reconciler_checks")
    expect(checks).toMatchObject([{ attributes: { finding: "failed" }, state: { count: 1, incremental: true } }])
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)

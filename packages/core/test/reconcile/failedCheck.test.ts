import { PixCharges, Reconciler } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { aPaidOne, aReconciler, anIssuedCharge, scenario } from "../World.ts"

scenario("logs a failed check with its charge's id", (world) =>
  Effect.gen(function* () {
    const { round } = yield* aReconciler
    const { id } = yield* anIssuedCharge()
    world.bank.fail("lookup", "defect")
    yield* TestClock.adjust("662 seconds")
    yield* round
    expect(world.logged).toContain(`Warn Charge ${id} could not be checked`)
  }),
)

scenario("ends a charge's checks after a failure 30 days after its watch, and logs it", (world) =>
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

scenario("counts failed checks with a counter that only rises", (world) =>
  Effect.gen(function* () {
    const { round } = yield* aReconciler
    yield* anIssuedCharge()
    world.bank.fail("lookup", "defect")
    yield* TestClock.adjust("662 seconds")
    yield* round
    const checks = (yield* Metric.snapshot).filter(({ id }) => id === "pix_reconciler_checks")
    expect(checks).toMatchObject([{ attributes: { finding: "failed" }, state: { count: 1, incremental: true } }])
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
)

scenario("repeats a failed check within the hour if a refused refund can still return money", (world) =>
  Effect.gen(function* () {
    const { round } = Context.get(yield* Layer.build(Layer.fresh(Reconciler.onDemand)), Reconciler)
    const paid = yield* aPaidOne(world)
    const charges = yield* PixCharges
    yield* TestClock.adjust("20 days")
    world.bank.refunds("unanswered", "rejected")
    yield* charges.refund(paid.issuer, paid.id)
    for (let checks = 0; checks < 4; checks++) {
      yield* TestClock.adjust("1 hour")
      yield* round
      const { _tag } = yield* charges.find(paid.issuer, paid.id)
      if (_tag === "Paid") world.bank.fail("lookup", "defect")
    }
    const now = yield* Clock.currentTimeMillis
    const after = yield* charges.find(paid.issuer, paid.id)
    expect(after).toMatchObject({ _tag: "Paid", failedRefund: { unanswered: [expect.any(Number)] } })
    expect((after.checkAt ?? Infinity) - now).toBeLessThanOrEqual(3_600_000)
  }),
)

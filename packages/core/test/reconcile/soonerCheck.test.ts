import { ChargeStore, OutboxSignal, PaymentProcessor, PixCharges, Reconciler } from "@pixcharge/core"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aCnpj, aCompany, aPendingCharge, makeScriptedProcessor } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { company, reseller, failureTag } from "../World.ts"

const bank = makeScriptedProcessor()

/** A bank that looks up immediately, but gives its first answer 20 s later. */
const slowBank = Layer.effectContext(
  Effect.map(Layer.build(bank.layer), (context) => {
    const processor = Context.get(context, PaymentProcessor)
    let calls = 0
    const lookup: typeof processor.lookup = (charge) =>
      Effect.tap(processor.lookup(charge), () => (calls++ === 0 ? Effect.sleep("20 seconds") : Effect.void))
    return Context.make(PaymentProcessor, { ...processor, lookup })
  }),
)

const layer = Reconciler.layer.pipe(
  Layer.provideMerge(PixCharges.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      memoryStore(),
      memoryDirectory({ companies: [company], resellers: [reseller] }),
      slowBank,
      Layer.succeed(OutboxSignal, {
        notifyAll: Effect.void,
        notify: () => Effect.void,
        next: Effect.never,
        count: Effect.succeed(0),
      }),
    ),
  ),
)

const hour = 3_600_000

itWith(layer).effect("makes a check in time even if it was scheduled during an earlier check of the charge", () =>
  Effect.gen(function* () {
    const charges = yield* PixCharges
    // The charge is old enough for hourly checks.
    const charge = aPendingCharge({ createdAt: -30 * hour, payableUntil: hour, watchUntil: 48 * hour, checkAt: 1_000 })
    yield* (yield* ChargeStore).insert(charge)
    yield* (yield* PaymentProcessor).register({ ...charge, company: aCompany(), requestedAt: 0 })
    // The look-up saw an active charge. Then the bank cancels the charge, but its answer is lost.
    yield* TestClock.adjust("10 seconds")
    bank.fail("cancel", "answerLost")
    expect(yield* failureTag(charges.cancel(aCnpj, charge.id))).toBe("ProcessorUnavailable")
    expect(bank.view(charge).status).toBe("removed")
    yield* TestClock.adjust("2 minutes")
    expect((yield* charges.find(aCnpj, charge.id))._tag).toBe("Cancelled")
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
)

import { type CallbackDelivery, CallbackEndpoints, Outbox, PixCharges } from "@pixcharge/core"
import { chargeEventId, type PaidCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { describe, expect } from "vitest"
import { it } from "./itEffect.ts"
import { trustedCertificate } from "../fixtures/certificates.ts"
import type { DeliverySurroundings } from "./callbackDeliverySuite.ts"
import { makeSeededRandom, type SeededRandom } from "../simulation/SeededRandom.ts"
import { endpointIds, eventPorts, issuers, paidCharge } from "../fixtures/EventWorld.ts"
import { makeShiftableClock, type ShiftableClock } from "../fixtures/ShiftableClock.ts"
import {
  startUnreliableReceiver,
  startUnreliableTlsReceiver,
  type UnreliableReceiver,
} from "./eventDelivery/UnreliableReceiver.ts"
import type { TestedPorts } from "./StoreDriver.ts"
import { makeNotes, startWorker, type Worker } from "./eventDelivery/Worker.ts"

/** What the suite needs. */
export interface EventDeliveryUnderTest {
  readonly store: Layer.Layer<TestedPorts, unknown>
  /** The transport that delivers to the suite's receivers. */
  readonly delivery: (surroundings: DeliverySurroundings) => Layer.Layer<CallbackDelivery, unknown>
  /** Ends every lease, like 30 s of the store's own clock; by default moves Effect's monotonic clock forward. */
  readonly endLeases?: Effect.Effect<void>
}

const hour = 3_600_000
const chargesPerRun = 30
/** The URLs of the companies' receivers in order, the first behind TLS, then the reseller's. */
const faultiness = [0.5, 0.2, 0, 0.4]

/** Pays charges, and refunds some, at random moments. */
const trade = Effect.fnUntraced(function* (random: SeededRandom) {
  const charges = yield* PixCharges
  return yield* Effect.forEach(
    Array.from({ length: chargesPerRun }),
    Effect.fnUntraced(function* () {
      yield* Effect.sleep(random.between(0, 400))
      const issuer = random.pick(issuers)
      // The clock may go on by more than a day while a store is writing.
      const isLate = ({ _tag }: { readonly _tag: string }) => _tag === "ChargeExpired"
      const charge = yield* Effect.retry(
        Effect.suspend(() => paidCharge(issuer)),
        { while: isLate },
      )
      if (!random.chance(0.3)) return { charge, isRefunded: false }
      yield* Effect.sleep(random.between(0, 150))
      yield* charges.refund(charge.issuer, charge.id)
      return { charge, isRefunded: true }
    }),
    { concurrency: "unbounded" },
  )
})

/** Enables every endpoint again, including those disabled by a 410. */
const resumeAll = Effect.flatMap(CallbackEndpoints, (endpoints) =>
  Effect.forEach(endpointIds, (id) => endpoints.setStatus(id, "enabled")),
)

/** Starts, stops and kills workers, and moves the clock, until nothing waits. */
const disturb = Effect.fnUntraced(function* (
  start: Effect.Effect<Worker>,
  clock: ShiftableClock,
  endLeases: Effect.Effect<void>,
  random: SeededRandom,
  isTrading: () => boolean,
) {
  const outbox = yield* Outbox
  let workers = [yield* start, yield* start, yield* start]
  let rounds = 0
  while (isTrading() || (yield* outbox.depth).waiting > 0) {
    yield* Effect.sleep(10 + random.between(0, 40))
    clock.shiftUnsafe({ businessMs: random.between(0, 12 * hour) })
    if (++rounds === 5 || random.chance(0.2)) {
      const [victim, ...others] = workers
      if (victim !== undefined) yield* victim.kill
      // Only leases of the killed worker may end early: those of the others are far longer than an attempt.
      yield* Effect.forEach(others, (worker) => worker.stop, { concurrency: "unbounded" })
      yield* endLeases
      workers = [yield* start, yield* start]
    }
    if (random.chance(0.3)) yield* resumeAll
    yield* Effect.forEach(workers, (worker) => worker.notifyAll)
  }
  yield* Effect.forEach(workers, (worker) => worker.stop, { concurrency: "unbounded" })
})

/** The receivers of a charge's events: its company's own and the reseller's. */
const expectedReceivers = (receivers: ReadonlyArray<UnreliableReceiver>, { issuer }: PaidCharge) =>
  [receivers[issuers.indexOf(issuer)], receivers.at(-1)].filter((one) => one !== undefined)

const run = (underTest: EventDeliveryUnderTest, seed: number) =>
  Effect.gen(function* () {
    const random = makeSeededRandom(seed)
    const clock = makeShiftableClock()
    const endLeases = underTest.endLeases ?? Effect.sync(() => clock.shiftUnsafe({ monotonicMs: 31_000 }))
    const [first = 0, ...others] = faultiness
    const behindTls = yield* startUnreliableTlsReceiver(random, first)
    const plain = yield* Effect.forEach(others, (share) => startUnreliableReceiver(random, share))
    const receivers = [behindTls, ...plain]
    const urls = receivers.map(({ url }) => url)
    const delivery = underTest.delivery({ ca: [trustedCertificate.cert] })
    const ports = yield* Layer.build(eventPorts({ store: underTest.store, delivery, urls, clock }))
    const notes = makeNotes()
    yield* Effect.gen(function* () {
      const trading = yield* Effect.forkChild(trade(random))
      const isTrading = () => trading.pollUnsafe() === undefined
      yield* disturb(startWorker(ports, clock, notes, random), clock, endLeases, random, isTrading)
      const traded = yield* Fiber.join(trading)
      expect(notes.afterSuccess).toEqual([])
      for (const { charge, isRefunded } of traded) {
        const paidId = chargeEventId(charge, "paid")
        const refundedId = chargeEventId(charge, "refunded")
        for (const { taken } of expectedReceivers(receivers, charge)) {
          if (!isRefunded) expect(taken).toContain(paidId)
          else {
            expect(taken).toContain(refundedId)
            // `paid` may have been superseded or sent before; it is never sent after `refunded`.
            expect(taken.lastIndexOf(paidId)).toBeLessThan(taken.indexOf(refundedId))
          }
        }
      }
      expect(behindTls.stranger.received).toEqual([])
      for (const { bodies } of receivers) {
        for (const [, texts] of bodies) expect(texts.size).toBe(1)
      }
      const outbox = yield* Outbox
      for (const issuer of issuers) {
        for (const status of ["waiting", "dead"] as const) {
          expect((yield* outbox.list(issuer, { status }, { limit: 1_000 })).items).toEqual([])
        }
      }
    }).pipe(Effect.provideContext(ports))
  })

/**
 * What dispatcher, store and transport promise together, run with real receivers that fail in every way and workers that
 * are killed in the middle: every event arrives at least once under one id, none is lost, none is begun after its success
 * was recorded, and `paid` of a charge is never sent after its refund.
 */
export const eventDeliverySuite = (name: string, underTest: EventDeliveryUnderTest): void => {
  const seeds = Array.from({ length: process.env["LONG"] === undefined ? 3 : 25 }, (_, index) => 1_000 + index)
  describe(`${name}: delivery of events`, () => {
    for (const seed of seeds) {
      it.live(
        `no event is lost or sent after its success, and each keeps its id and body, with seed ${seed}`,
        () => Effect.provide(run(underTest, seed), Logger.layer([])),
        180_000,
      )
    }
  })
}

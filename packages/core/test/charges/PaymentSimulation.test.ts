import {
  type PaymentPlay,
  PaymentSimulation,
  PaymentSimulator,
  PixCharges,
  ProcessorUnavailable,
  SimulationDeclined,
} from "@pixcharge/core"
import type { PaymentNotice, PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { aNotice, anotherCnpj, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { anIssuedCharge, aPaidOne, exceptions, registerCompany, scenario, failureTag } from "../World.ts"

type Simulate = PaymentSimulator["Service"]["simulate"]

/** Pays the amount due, now. */
const payAmountDue: Simulate = (charge, amountCents) =>
  Effect.map(Clock.currentTimeMillis, (paidAt) => [aNotice(charge, { amountCents, paidAt })])

/** Simulates with the test's own payer, and records its requests. */
const makeSimulation = (payer: Simulate = payAmountDue) => {
  const requestedAmounts: Array<Cents> = []
  const outcomes: Array<string> = []
  const simulator = Layer.succeed(PaymentSimulator, {
    simulate: (charge, due) =>
      Effect.suspend(() => {
        requestedAmounts.push(due)
        return payer(charge, due)
      }),
    play: (charge, amountCents, outcome) =>
      Effect.suspend(() => {
        requestedAmounts.push(amountCents)
        outcomes.push(outcome)
        return payer(charge, amountCents)
      }),
  })
  const simulate = ({ issuer, id }: Pick<PendingCharge, "issuer" | "id">, play?: PaymentPlay) =>
    Effect.flatMap(PaymentSimulation, (simulation) => simulation.simulate(issuer, id, play)).pipe(
      Effect.provide(Layer.provide(PaymentSimulation.layer, simulator)),
    )
  return { requestedAmounts, outcomes, simulate }
}

scenario("a simulated payment is approved unless another outcome is chosen", () =>
  Effect.gen(function* () {
    const { outcomes, simulate } = makeSimulation()
    const charge = yield* anIssuedCharge()
    yield* simulate(charge, {})
    yield* simulate(charge, { outcome: "paidLate" })
    expect(outcomes).toEqual(["approved", "paidLate"])
  }),
)

describe("a simulated payment", () => {
  scenario("pays the amount due for a pending charge", () =>
    Effect.gen(function* () {
      const { requestedAmounts, simulate } = makeSimulation()
      const charge = yield* anIssuedCharge()
      expect(yield* simulate(charge)).toMatchObject({
        _tag: "Paid",
        payment: { amountCents: 1990, late: false, otherAmount: false },
      })
      expect(requestedAmounts).toEqual([1990])
    }),
  )

  scenario("pays fine and interest of a late charge", () =>
    Effect.gen(function* () {
      const fees = {
        fine: { kind: "fixed", amountCents: 300 },
        interest: { kind: "fixedPerDay", days: "calendar", amountCents: 10 },
      } as const
      yield* registerCompany({ fees })
      const charge = yield* anIssuedCharge({ dueDate: "2026-06-08" })
      yield* TestClock.setTime(Date.UTC(2026, 5, 11, 12))
      const { simulate } = makeSimulation()
      expect(yield* simulate(charge)).toMatchObject({ payment: { amountCents: 1990 + 300 + 30, otherAmount: false } })
    }),
  )

  scenario("is declined if the amount due is more than a payment can be", () =>
    Effect.gen(function* () {
      const interest = { kind: "percentPerDay", days: "calendar", basisPoints: 1_000_000 } as const
      yield* registerCompany({ fees: { interest }, graceDays: 3650 })
      const { issuer, id } = yield* anIssuedCharge({ amountCents: 999_999_999_999, dueDate: "2026-06-08" })
      yield* TestClock.setTime(Date.UTC(2026, 10, 8, 12))
      const { requestedAmounts, simulate } = makeSimulation()
      expect(yield* Effect.flip(simulate({ issuer, id }))).toMatchObject({ _tag: "SimulationDeclined", issuer, id })
      expect(requestedAmounts).toEqual([])
    }),
  )

  scenario("returns the existing payment if the charge is paid, with any payer", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const { txid: _, chargeId: __, recordedAt: ___, late: ____, otherAmount: _____, ...notice } = paid.payment
      const payers: ReadonlyArray<Simulate> = [
        () => Effect.succeed([{ ...notice, txid: paid.txid }]),
        () => Effect.succeed([]),
        () => new SimulationDeclined(paid),
        () => new ProcessorUnavailable({ operation: "simulate" }),
      ]
      for (const payer of payers) expect(yield* makeSimulation(payer).simulate(paid)).toEqual(paid)
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("records both payments that the processor reports, even if the store fails between them", (world) =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const notices = [aNotice(charge), aNotice(charge)]
      let recorded = 0
      const twice: Simulate = () =>
        Effect.sync(() => {
          recorded += 1
          return notices
        })
      const { simulate } = makeSimulation(twice)
      const failing = Effect.suspend(() => {
        world.storeFaults.set("commit", "unreachable")
        return Effect.void
      })
      const first = makeSimulation(() => Effect.succeed(notices.slice(0, 1)))
      yield* first.simulate(charge)
      yield* failing
      expect(yield* failureTag(simulate(charge))).toBe("StoreUnavailable")
      expect(yield* exceptions).toEqual([])
      expect((yield* simulate(charge))._tag).toBe("Paid")
      expect((yield* exceptions).map(({ payment }) => payment.endToEndId)).toEqual([notices[1]?.endToEndId])
      expect(recorded).toBe(2)
    }),
  )

  scenario("leaves the charge pending if the processor declines", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const { issuer, id } = charge
      const { simulate } = makeSimulation(() => new SimulationDeclined({ issuer, id }))
      expect(yield* failureTag(simulate(charge))).toBe("SimulationDeclined")
      const charges = yield* PixCharges
      expect(yield* charges.find(issuer, id)).toEqual(charge)
    }),
  )

  scenario("fails if the processor times out, and has the charge checked immediately", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const charge = yield* anIssuedCharge()
      yield* TestClock.adjust("1 second")
      const { simulate } = makeSimulation(() => new ProcessorUnavailable({ operation: "simulate" }))
      expect(yield* failureTag(simulate(charge))).toBe("ProcessorUnavailable")
      expect(yield* charges.find(charge.issuer, charge.id)).toMatchObject({ checkAt: fixtureNow + 1_000 })
    }),
  )

  scenario("leaves the charge pending if its notice is lost", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const { simulate } = makeSimulation(() => Effect.succeed<ReadonlyArray<PaymentNotice>>([]))
      expect(yield* simulate(charge)).toEqual(charge)
    }),
  )

  scenario("settles the charge and leaves an exception if the processor reports two payments", () =>
    Effect.gen(function* () {
      const { simulate } = makeSimulation((charge) => Effect.succeed([aNotice(charge), aNotice(charge)]))
      expect((yield* simulate(yield* anIssuedCharge()))._tag).toBe("Paid")
      expect(yield* exceptions).toHaveLength(1)
    }),
  )

  scenario("is refused for a charge that can't be paid any more; the error says why", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const gone = yield* anIssuedCharge()
      yield* charges.cancel(gone.issuer, gone.id)
      const back = yield* aPaidOne(world)
      yield* charges.refund(back.issuer, back.id)
      const returning = yield* aPaidOne(world)
      world.bank.refunds("processing")
      yield* charges.refund(returning.issuer, returning.id)
      const old = yield* anIssuedCharge()
      yield* TestClock.setTime(old.payableUntil + 1)
      const theirs = { ...old, issuer: anotherCnpj }
      const { requestedAmounts, simulate } = makeSimulation()
      const tags = yield* Effect.all([gone, back, returning, old, theirs].map((charge) => failureTag(simulate(charge))))
      expect(tags).toEqual(["ChargeCancelled", "ChargeRefunded", "ChargeRefunding", "ChargeExpired", "ChargeNotFound"])
      expect(requestedAmounts).toEqual([])
    }),
  )

  scenario("pays the amount due or another amount if an outcome is chosen, even after expiry or payment", () =>
    Effect.gen(function* () {
      const { requestedAmounts, simulate } = makeSimulation()
      const charge = yield* anIssuedCharge()
      yield* TestClock.setTime(charge.payableUntil + 1)
      expect(yield* simulate(charge, {})).toMatchObject({ _tag: "Paid", payment: { late: true } })
      expect(yield* simulate(charge, { amountCents: 700 as Cents })).toMatchObject({ payment: { amountCents: 1990 } })
      expect(requestedAmounts).toEqual([1990, 700])
      expect((yield* exceptions).map(({ payment }) => payment.amountCents)).toEqual([700])
    }),
  )

  scenario("has the charge checked immediately if the chosen outcome is a timeout", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const charge = yield* anIssuedCharge()
      yield* TestClock.adjust("1 second")
      const { simulate } = makeSimulation(() => new ProcessorUnavailable({ operation: "simulate" }))
      expect(yield* failureTag(simulate(charge, { outcome: "timesOut" }))).toBe("ProcessorUnavailable")
      expect(yield* charges.find(charge.issuer, charge.id)).toMatchObject({ checkAt: fixtureNow + 1_000 })
    }),
  )

  scenario("can be made until the charge's last payable millisecond", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      yield* TestClock.setTime(charge.payableUntil)
      const { simulate } = makeSimulation()
      expect(yield* simulate(charge)).toMatchObject({ _tag: "Paid", payment: { late: false } })
    }),
  )
})

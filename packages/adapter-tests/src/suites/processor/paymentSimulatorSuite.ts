import type { PaymentProcessor, PaymentSimulator } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import { type Cents, maximumChargeCents } from "@pixcharge/core/money"
import type { Company } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { aPaidCharge } from "../../fixtures/Charges.ts"
import { aPayment, aRefundId } from "../../fixtures/Payments.ts"
import { aRegisteredCharge, heldTerms } from "../../fixtures/Orders.ts"
import { it } from "../itEffect.ts"

/** A simulator with its processor, new for every test. */
export interface SimulatorUnderTest {
  readonly simulator: PaymentSimulator["Service"]
  readonly processor: PaymentProcessor["Service"]
  readonly company: Company
}

const endToEndId = /^E\d{8}20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[a-zA-Z0-9]{11}$/

/** Tests that a `PaymentSimulator` makes the payments of decision 17, and one payment for repeated simulations. */
export const paymentSimulatorSuite = (
  name: string,
  open: Effect.Effect<SimulatorUnderTest, unknown, Scope.Scope>,
): void => {
  const test = (
    title: string,
    body: (
      kit: SimulatorUnderTest & {
        readonly charge: (amountCents: number, dueInDays?: number) => Effect.Effect<PendingCharge, unknown>
      },
    ) => Effect.Effect<void, unknown>,
  ) =>
    it.live(title, () =>
      Effect.flatMap(open, (kit) =>
        body({
          ...kit,
          charge: (amountCents, dueInDays) =>
            aRegisteredCharge(kit.processor, kit.company, {
              amountCents: amountCents as Cents,
              ...(dueInDays !== undefined && { dueInDays }),
            }),
        }),
      ),
    )

  describe(`${name}: a payment simulator`, () => {
    test("pays the given amount now, and returns the payment as a notice", ({ simulator, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1000, 3)
        const before = yield* Clock.currentTimeMillis
        const [notice, ...more] = yield* simulator.simulate(pending, 1023 as Cents)
        const after = yield* Clock.currentTimeMillis
        expect(more).toEqual([])
        expect(notice).toMatchObject({ issuer: pending.issuer, txid: pending.txid, amountCents: 1023 })
        expect(notice?.endToEndId).toMatch(endToEndId)
        expect(notice?.paidAt).toBeGreaterThanOrEqual(before)
        expect(notice?.paidAt).toBeLessThanOrEqual(after)
      }))

    test("makes the payment known to the processor", ({ simulator, processor, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1000)
        const notices = yield* simulator.simulate(pending, pending.amountCents)
        const view = yield* processor.lookup(pending)
        expect(view).toEqual({
          status: "completed",
          terms: heldTerms(pending, view),
          payments: notices,
          returns: [],
        })
      }))

    test("returns the same payment for a repeated simulation", ({ simulator, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1000)
        const first = yield* simulator.simulate(pending, pending.amountCents)
        expect(yield* simulator.simulate(pending, pending.amountCents)).toEqual(first)
      }))

    test("returns the earlier payment of a charge that the simulator paid, instead of paying again", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        for (const amountCents of [1000, 1092, 1093, 1094, 1095]) {
          const pending = yield* charge(amountCents)
          yield* Effect.exit(simulator.simulate(pending, pending.amountCents))
          const { payments } = yield* processor.lookup(pending)
          const paid = aPaidCharge(pending, aPayment(pending, payments[0]))
          const again = yield* simulator.simulate(paid, paid.amountCents)
          expect(again).toEqual(amountCents === 1095 ? [] : payments)
          expect((yield* processor.lookup(pending)).payments).toEqual(payments)
        }
      }))

    test("neither pays nor declines a charge that was paid without the simulator", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        for (const amountCents of [1000, 1091, 1092]) {
          const pending = yield* charge(amountCents)
          expect(yield* simulator.simulate(aPaidCharge(pending), pending.amountCents)).toEqual([])
          expect((yield* processor.lookup(pending)).payments).toEqual([])
        }
      }))

    test("gives payments of different charges different ids", ({ simulator, charge }) =>
      Effect.gen(function* () {
        const ids = new Set<string | undefined>()
        for (let n = 0; n < 50; n++) {
          const pending = yield* charge(1000)
          ids.add((yield* simulator.simulate(pending, pending.amountCents))[0]?.endToEndId)
        }
        expect(ids.size).toBe(50)
      }))

    test("declines amounts ending in .91 without a payment", ({ simulator, processor, charge }) =>
      Effect.gen(function* () {
        for (const cents of [91, 1091, 999_999_999_991]) {
          const pending = yield* charge(cents)
          const declined = yield* Effect.flip(simulator.simulate(pending, pending.amountCents))
          expect(declined).toMatchObject({ _tag: "SimulationDeclined", issuer: pending.issuer, id: pending.id })
          expect((yield* processor.lookup(pending)).payments).toEqual([])
        }
      }))

    test("times out and pays for amounts ending in .92", ({ simulator, processor, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1092)
        const failure = yield* Effect.flip(simulator.simulate(pending, pending.amountCents))
        expect(failure._tag).toBe("ProcessorUnavailable")
        const { status, payments } = yield* processor.lookup(pending)
        expect({ status, amounts: payments.map(({ amountCents }) => amountCents) }).toEqual({
          status: "completed",
          amounts: [1092],
        })
      }))

    test("pays amounts ending in .93 twice, under two ids", ({ simulator, processor, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1093)
        const notices = yield* simulator.simulate(pending, pending.amountCents)
        expect(notices.map(({ amountCents }) => amountCents)).toEqual([1093, 1093])
        expect(new Set(notices.map((notice) => notice.endToEndId)).size).toBe(2)
        expect((yield* processor.lookup(pending)).payments).toEqual(notices)
      }))

    test("pays amounts ending in .94 after `payableUntil`", ({ simulator, charge }) =>
      Effect.gen(function* () {
        for (const pending of [yield* charge(1094), yield* charge(1094, 2)]) {
          const [notice] = yield* simulator.simulate(pending, pending.amountCents)
          expect(notice?.paidAt).toBeGreaterThan(pending.payableUntil)
          expect(notice?.paidAt).toBeLessThan(pending.watchUntil)
        }
      }))

    test("never dates a refund or a further payment before a late payment", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        for (const dueInDays of [undefined, 2, 30]) {
          for (const pay of [
            (pending: PendingCharge) => simulator.simulate(pending, pending.amountCents),
            (pending: PendingCharge) => simulator.play(pending, pending.amountCents, "paidLate"),
          ]) {
            const pending = yield* charge(1094, dueInDays)
            const [first] = yield* pay(pending)
            if (first === undefined) throw new Error("expected a late payment")
            const paid = aPaidCharge(pending, aPayment(pending, first))
            const [further] = yield* simulator.play(paid, 700 as Cents, "approved")
            const { txid: _, paidAt, ...payment } = first
            expect(further?.paidAt).toBeGreaterThanOrEqual(paidAt)
            const order = { ...payment, refundId: aRefundId(payment) }
            const outcome = yield* processor.refund(order)
            expect(outcome._tag === "Returned" && outcome.returnedAt).toBeGreaterThanOrEqual(paidAt)
            expect(yield* processor.lookupRefund(order)).toEqual(outcome)
          }
        }
      }))

    test("loses the notice of amounts ending in .95, which only look-up and the list of payments show", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        const pending = yield* charge(1095)
        expect(yield* simulator.simulate(pending, pending.amountCents)).toEqual([])
        const { payments } = yield* processor.lookup(pending)
        expect(payments.map(({ amountCents }) => amountCents)).toEqual([1095])
        const period = { from: pending.createdAt - 1000, until: (yield* Clock.currentTimeMillis) + 1000 }
        expect((yield* processor.payments(pending.issuer, period)).items).toEqual(
          payments.map((payment) => ({ ...payment, returns: [] })),
        )
      }))

    test("chooses the outcome by the charge's amount without fees", ({ simulator, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(1000, 1)
        expect(yield* simulator.simulate(pending, 1091 as Cents)).toHaveLength(1)
      }))

    test("pays a play's amount with its outcome, regardless of the charge's cents", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        for (const [outcome, count] of [
          ["approved", 1],
          ["paidTwice", 2],
          ["noticeLost", 1],
          ["timesOut", 1],
        ] as const) {
          const pending = yield* charge(1091)
          const playing = yield* Effect.exit(simulator.play(pending, 700 as Cents, outcome))
          const { payments } = yield* processor.lookup(pending)
          expect(payments.map(({ amountCents }) => amountCents)).toEqual(Array.from({ length: count }, () => 700))
          expect(new Set(payments.map((notice) => notice.endToEndId)).size).toBe(count)
          expect(playing._tag).toBe(outcome === "timesOut" ? "Failure" : "Success")
          if (playing._tag === "Success") expect(playing.value).toEqual(outcome === "noticeLost" ? [] : payments)
        }
      }))

    test("doesn't pay for a declined play, and dates the payment of a late play after `payableUntil`", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        const pending = yield* charge(1000)
        const declined = yield* Effect.flip(simulator.play(pending, 700 as Cents, "declined"))
        expect(declined).toMatchObject({ _tag: "SimulationDeclined", issuer: pending.issuer, id: pending.id })
        expect((yield* processor.lookup(pending)).payments).toEqual([])
        const [late] = yield* simulator.play(pending, 700 as Cents, "paidLate")
        expect(late?.paidAt).toBeGreaterThan(pending.payableUntil)
      }))

    test("pays a charge again for each play, even if the charge is paid already", (kit) =>
      Effect.gen(function* () {
        const { simulator, processor, charge } = kit
        const pending = yield* charge(1000)
        const [first] = yield* simulator.play(pending, 700 as Cents, "approved")
        const paid = aPaidCharge(pending, aPayment(pending, first))
        const [second] = yield* simulator.play(paid, 700 as Cents, "approved")
        expect(second?.endToEndId).not.toBe(first?.endToEndId)
        expect((yield* processor.lookup(pending)).payments).toEqual([first, second])
        const elsewhere = yield* charge(1000)
        const [further] = yield* simulator.play(aPaidCharge(elsewhere), 700 as Cents, "approved")
        expect((yield* processor.lookup(elsewhere)).payments).toHaveLength(2)
        expect((yield* processor.lookup(elsewhere)).payments).toContainEqual(further)
      }))

    test("pays the largest charge", ({ simulator, charge }) =>
      Effect.gen(function* () {
        const pending = yield* charge(maximumChargeCents)
        expect((yield* simulator.simulate(pending, pending.amountCents))[0]?.amountCents).toBe(maximumChargeCents)
      }))
  })
}

import type { PaymentException } from "@pixcharge/core/charges"
import { aCnpj, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  aReconciler,
  anIssuedCharge,
  exceptions,
  pay,
  paymentExceptions,
  recordExceptionReturn,
  scenario,
  failureTag,
  type World,
} from "../World.ts"

/** Makes a charge that was paid twice; returns the second payment's id. */
const aSecondPayment = Effect.fnUntraced(function* (world: World) {
  const charge = yield* anIssuedCharge()
  yield* pay(world, charge)
  const { notice } = yield* pay(world, charge, { endToEndId: "E2".padEnd(32, "x"), amountCents: cents(700) })
  return notice.endToEndId
})

const refundCalls = ({ bank }: World) => bank.calls.filter((call) => call === "refund" || call === "lookupRefund")

describe("payment exceptions", () => {
  scenario("return a second payment once, however often the refund is requested", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      const first = yield* refund(aCnpj, endToEndId)
      expect(first).toMatchObject({
        reason: "furtherPayment",
        state: { _tag: "Refunded", refundId: `${endToEndId}X0` },
        returns: [{ kind: "refund", amountCents: 700 }],
      })
      expect(yield* refund(aCnpj, endToEndId)).toEqual(first)
      expect(refundCalls(world)).toEqual(["refund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("commit the refund before the call, and repeat the call under the same id", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      const { round } = yield* aReconciler
      world.bank.fail("refund", "answerLost")
      const hanging = yield* refund(aCnpj, endToEndId)
      expect(hanging.state).toMatchObject({ _tag: "Refunding", refund: { id: `${endToEndId}X0` } })
      world.bank.fail("lookupRefund", "unreachable")
      expect(yield* refund(aCnpj, endToEndId)).toEqual(hanging)
      yield* TestClock.adjust("11 seconds")
      yield* round
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "lookupRefund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
      expect((yield* refund(aCnpj, endToEndId)).state._tag).toBe("Refunded")
    }),
  )

  scenario("resume a refund that never reached the processor", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      yield* aReconciler
      world.bank.fail("refund", "unreachable")
      yield* refund(aCnpj, endToEndId)
      yield* TestClock.adjust("31 seconds")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "refund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario("resume refunds even if a look-up dies", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      yield* aReconciler
      world.bank.fail("refund", "unreachable")
      world.bank.fail("lookupRefund", "defect")
      yield* refund(aCnpj, endToEndId)
      yield* TestClock.adjust("6 seconds")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund"])
      yield* TestClock.adjust("2 minutes")
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario("have their unanswered refunds shared among processes, which look them up less and less often", (world) =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      yield* pay(world, charge)
      const { refund } = yield* paymentExceptions
      yield* Effect.all(Array.from({ length: 3 }, () => aReconciler))
      const hanging: Array<PaymentException> = []
      for (let index = 0; index < 100; index++) {
        const { notice } = yield* pay(world, charge, { endToEndId: `E${index}`.padEnd(32, "x") })
        world.bank.refunds("processing")
        const exception = yield* refund(aCnpj, notice.endToEndId)
        hanging.push(exception)
        yield* TestClock.adjust("10 millis")
      }
      const before = refundCalls(world).length
      for (let time = 0; time < 60; time++) yield* TestClock.adjust("1 minute")
      const lookUps = refundCalls(world).length - before
      // Each look-up waits for half the refund's age: sixteen in an hour.
      expect(lookUps).toBeGreaterThanOrEqual(100 * 10)
      expect(lookUps).toBeLessThanOrEqual(100 * 17)
      for (const { payment, state } of hanging) {
        if (state._tag === "Refunding") world.bank.endRefund(payment.issuer, state.refund.id, "returned")
      }
      for (let time = 0; time < 35; time++) yield* TestClock.adjust("1 minute")
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("look up refunds rarely while the processor doesn't answer, and finish them once it does", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      yield* aReconciler
      world.bank.fail("refund", "answerLost")
      yield* refund(aCnpj, endToEndId)
      const silences = Array.from({ length: 30 }, () => "unreachable" as const)
      world.bank.fail("lookupRefund", ...silences)
      yield* TestClock.adjust("20 minutes")
      expect(refundCalls(world).length).toBeLessThan(15)
      world.bank.behave()
      yield* TestClock.adjust("12 minutes")
      expect(yield* exceptions).toEqual([])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario("are open again after a refund failed; the next refund has a new id", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      world.bank.refunds("rejected")
      expect(yield* failureTag(refund(aCnpj, endToEndId))).toBe("ExceptionRefundRejected")
      expect((yield* exceptions).map(({ state }) => state._tag)).toEqual(["Open"])
      expect((yield* refund(aCnpj, endToEndId)).state).toMatchObject({
        _tag: "Refunded",
        refundId: `${endToEndId}X1`,
      })
    }),
  )

  scenario("can't be refunded after the 90th day or once resolved, nor resolved during a refund", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      yield* TestClock.setTime(Date.parse("2026-09-02T03:00:00.000Z"))
      const { refund, resolve } = yield* paymentExceptions
      expect(yield* failureTag(refund(aCnpj, endToEndId))).toBe("ExceptionClosed")
      const resolved = yield* resolve(aCnpj, endToEndId, "kept as a tip")
      expect(resolved.state).toMatchObject({ _tag: "Resolved", note: "kept as a tip" })
      expect(yield* resolve(aCnpj, endToEndId, "again")).toEqual(resolved)
      expect(yield* failureTag(refund(aCnpj, endToEndId))).toBe("ExceptionClosed")
      const other = yield* aSecondPaymentNow(world)
      yield* refund(aCnpj, other)
      expect(yield* failureTag(resolve(aCnpj, other, "no"))).toBe("ExceptionClosed")
    }),
  )

  scenario("record each return made elsewhere once, and close when the whole payment went back", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund } = yield* paymentExceptions
      const back = {
        issuer: aCnpj,
        endToEndId,
        amountCents: cents(350),
        kind: "outside",
        returnedAt: fixtureNow,
      } as const
      const half = { ...back, id: "D1" }
      yield* recordExceptionReturn(half)
      expect((yield* recordExceptionReturn(half)).returns).toEqual([half])
      expect((yield* exceptions).map(({ returns }) => returns)).toEqual([[half]])
      expect(yield* failureTag(refund(aCnpj, endToEndId))).toBe("ExceptionClosed")
      yield* recordExceptionReturn({ ...half, id: "D2" })
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("don't include a payment that settled its charge", (world) =>
    Effect.gen(function* () {
      const { notice } = yield* pay(world, yield* anIssuedCharge())
      const { refund } = yield* paymentExceptions
      expect(yield* failureTag(refund(aCnpj, notice.endToEndId))).toBe("ExceptionNotFound")
    }),
  )
})

const aSecondPaymentNow = Effect.fnUntraced(function* (world: World) {
  const charge = yield* anIssuedCharge()
  const paidAt = charge.createdAt
  yield* pay(world, charge, { endToEndId: "E3".padEnd(32, "x"), paidAt })
  const { notice } = yield* pay(world, charge, { endToEndId: "E4".padEnd(32, "x"), paidAt })
  return notice.endToEndId
})

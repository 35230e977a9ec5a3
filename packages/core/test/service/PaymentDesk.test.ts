import { PaymentDesk, type PaymentException } from "@pixcharge/core"
import { aCnpj, cents, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { anIssuedCharge, exceptions, pay, scenario, tagOf, type World } from "./World.ts"

const desk = Effect.map(Layer.build(PaymentDesk.layer), (context) => Context.get(context, PaymentDesk))

/** Another process's. */
const anotherDesk = Effect.map(Layer.build(Layer.fresh(PaymentDesk.layer)), (context) =>
  Context.get(context, PaymentDesk),
)

/** A charge that was paid twice; the second payment's id. */
const aSecondPayment = Effect.fnUntraced(function* (world: World) {
  const charge = yield* anIssuedCharge()
  yield* pay(world, charge)
  const { notice } = yield* pay(world, charge, { endToEndId: "E2".padEnd(32, "x"), amountCents: cents(700) })
  return notice.endToEndId
})

const asked = ({ bank }: World) => bank.calls.filter((call) => call === "refund" || call === "lookupRefund")

describe("the desk", () => {
  scenario("returns a second payment once, however often it is asked to", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refundException } = yield* desk
      const first = yield* refundException(aCnpj, endToEndId)
      expect(first).toMatchObject({
        reason: "furtherPayment",
        state: { _tag: "Refunded", refundId: `${endToEndId}X0` },
        returns: [{ kind: "refund", amountCents: 700 }],
      })
      expect(yield* refundException(aCnpj, endToEndId)).toEqual(first)
      expect(asked(world)).toEqual(["refund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("has the refund committed before it asks, and asks again under the same id after a lost answer", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refundException, resumeRefunds } = yield* desk
      world.bank.fail("refund", "answerLost")
      const hanging = yield* refundException(aCnpj, endToEndId)
      expect(hanging.state).toMatchObject({ _tag: "Refunding", refundId: `${endToEndId}X0` })
      world.bank.fail("lookupRefund", "unreachable")
      expect(yield* refundException(aCnpj, endToEndId)).toEqual(hanging)
      yield* TestClock.adjust("11 seconds")
      yield* resumeRefunds
      expect(asked(world)).toEqual(["refund", "lookupRefund", "lookupRefund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
      expect((yield* refundException(aCnpj, endToEndId)).state._tag).toBe("Refunded")
    }),
  )

  scenario("looks after a refund that never arrived by itself", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refundException } = yield* desk
      world.bank.fail("refund", "unreachable")
      yield* refundException(aCnpj, endToEndId)
      yield* TestClock.adjust("31 seconds")
      expect(asked(world)).toEqual(["refund", "lookupRefund", "refund"])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario("goes on looking after refunds when one look-up dies", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refundException } = yield* desk
      world.bank.fail("refund", "unreachable")
      world.bank.fail("lookupRefund", "defect")
      yield* refundException(aCnpj, endToEndId)
      yield* TestClock.adjust("11 seconds")
      expect(asked(world)).toEqual(["refund", "lookupRefund"])
      yield* TestClock.adjust("2 minutes")
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario(
    "shares hanging refunds among processes, asks ever more seldom, and none keeps another from its end",
    (world) =>
      Effect.gen(function* () {
        const charge = yield* anIssuedCharge()
        yield* pay(world, charge)
        const desks = yield* Effect.all(Array.from({ length: 3 }, () => anotherDesk))
        const hanging: Array<PaymentException> = []
        for (let at = 0; at < 100; at++) {
          const { notice } = yield* pay(world, charge, { endToEndId: `E${at}`.padEnd(32, "x") })
          world.bank.refunds("processing")
          const exception = yield* desks[0]?.refundException(aCnpj, notice.endToEndId) ?? Effect.die("three desks")
          hanging.push(exception)
          yield* TestClock.adjust("10 millis")
        }
        const before = asked(world).length
        for (let time = 0; time < 60; time++) yield* TestClock.adjust("1 minute")
        const lookUps = asked(world).length - before
        // By half their age each time, every 30 s at the most: about ten in an hour.
        expect(lookUps).toBeGreaterThanOrEqual(100 * 5)
        expect(lookUps).toBeLessThanOrEqual(100 * 15)
        for (const { payment, state } of hanging) {
          if (state._tag === "Refunding") world.bank.endRefund(payment.issuer, state.refundId, "returned")
        }
        for (let time = 0; time < 35; time++) yield* TestClock.adjust("1 minute")
        expect(yield* exceptions).toEqual([])
      }),
  )

  scenario("spares a processor that is silent about refunds, and ends them once it answers", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refundException } = yield* desk
      world.bank.fail("refund", "answerLost")
      yield* refundException(aCnpj, endToEndId)
      const silences = Array.from({ length: 30 }, () => "unreachable" as const)
      world.bank.fail("lookupRefund", ...silences)
      yield* TestClock.adjust("20 minutes")
      expect(asked(world).length).toBeLessThan(15)
      world.bank.behave()
      yield* TestClock.adjust("12 minutes")
      expect(yield* exceptions).toEqual([])
      expect(world.bank.refundedCents(aCnpj, endToEndId)).toBe(700)
    }),
  )

  scenario(
    "has an exception open again after a refund that was not carried out, and asks anew under another id",
    (world) =>
      Effect.gen(function* () {
        const endToEndId = yield* aSecondPayment(world)
        const { refundException } = yield* desk
        world.bank.refunds("rejected")
        expect(yield* tagOf(refundException(aCnpj, endToEndId))).toBe("ExceptionRefundRejected")
        expect((yield* exceptions).map(({ state }) => state._tag)).toEqual(["Open"])
        expect((yield* refundException(aCnpj, endToEndId)).state).toMatchObject({
          _tag: "Refunded",
          refundId: `${endToEndId}X1`,
        })
      }),
  )

  scenario("returns nothing after 90 days, nor what was resolved, and resolves nothing that goes back", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      // Before the desk works: its rounds of 91 days would take seconds.
      yield* TestClock.setTime(fixtureNow + 91 * 86_400_000)
      const { refundException, resolveException } = yield* desk
      expect(yield* tagOf(refundException(aCnpj, endToEndId))).toBe("ExceptionClosed")
      const resolved = yield* resolveException(aCnpj, endToEndId, "kept as a tip")
      expect(resolved.state).toMatchObject({ _tag: "Resolved", note: "kept as a tip" })
      expect(yield* resolveException(aCnpj, endToEndId, "again")).toEqual(resolved)
      expect(yield* tagOf(refundException(aCnpj, endToEndId))).toBe("ExceptionClosed")
      const other = yield* aSecondPaymentNow(world)
      yield* refundException(aCnpj, other)
      expect(yield* tagOf(resolveException(aCnpj, other, "no"))).toBe("ExceptionClosed")
    }),
  )

  scenario("records what went back elsewhere once, and closes the case when all is back", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { recordReturn, refundException } = yield* desk
      const back = {
        issuer: aCnpj,
        endToEndId,
        amountCents: cents(350),
        kind: "outside",
        returnedAt: fixtureNow,
      } as const
      const half = { ...back, id: "D1" }
      yield* recordReturn(half)
      expect((yield* recordReturn(half)).returns).toEqual([half])
      expect((yield* exceptions).map(({ returns }) => returns)).toEqual([[half]])
      expect(yield* tagOf(refundException(aCnpj, endToEndId))).toBe("ExceptionClosed")
      yield* recordReturn({ ...half, id: "D2" })
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("knows nothing of a settling payment", (world) =>
    Effect.gen(function* () {
      const { notice } = yield* pay(world, yield* anIssuedCharge())
      const { refundException } = yield* desk
      expect(yield* tagOf(refundException(aCnpj, notice.endToEndId))).toBe("ExceptionNotFound")
    }),
  )
})

/** The same at the present moment of the test's clock. */
const aSecondPaymentNow = Effect.fnUntraced(function* (world: World) {
  const charge = yield* anIssuedCharge()
  const paidAt = charge.createdAt
  yield* pay(world, charge, { endToEndId: "E3".padEnd(32, "x"), paidAt })
  const { notice } = yield* pay(world, charge, { endToEndId: "E4".padEnd(32, "x"), paidAt })
  return notice.endToEndId
})

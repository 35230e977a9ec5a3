import {
  Bookkeeping,
  ChargeLists,
  PaymentProcessor,
  PixCharges,
  ProcessorUnavailable,
  type RefundOrder,
} from "@pixcharge/core"
import type { PaidCharge, RefundingCharge, RefundOutcome } from "@pixcharge/core/charges"
import { aCnpj, aRefundId, aReturn, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, vi } from "vitest"
import {
  anIssuedCharge,
  aPaidOne,
  aReconciler,
  deliveries,
  exceptions,
  pay,
  scenario,
  failureTag,
  addEndpoint,
  paymentExceptions,
  recordExceptionReturn,
  type World,
} from "../World.ts"

const refund = ({ issuer, id }: Pick<PaidCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.refund(issuer, id))

const find = ({ issuer, id }: Pick<PaidCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const returnIds = Effect.flatMap(ChargeLists, (lists) =>
  Effect.map(lists.returns(aCnpj, { from: 0, until: fixtureNow * 2 }, { limit: 100 }), ({ items }) =>
    items.map(({ id }) => id),
  ),
)

const refundId = ({ payment }: PaidCharge, attempt = 1): string => aRefundId(payment, attempt)

/** A paid charge whose refund's first call is unanswered: the bank has it, but hasn't carried it out. */
const aPaidOneWithACall = Effect.fnUntraced(function* (world: World) {
  const paid = yield* aPaidOne(world)
  world.bank.refunds("unanswered")
  expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding" })
  return paid
})

/** The ids of the refunds requested from now on. */
const watchRequestedIds = Effect.map(PaymentProcessor, (processor) => {
  const ids: Array<string> = []
  const { refund: call } = processor
  Object.assign(processor, {
    refund: (order: RefundOrder) =>
      Effect.andThen(
        Effect.sync(() => ids.push(order.refundId)),
        call(order),
      ),
  })
  return ids
})

/** Makes look-ups show this outcome after the next refusal. */
const recordOutcomeAtRefusal = Effect.fnUntraced(function* (outcome: RefundOutcome) {
  const processor = yield* PaymentProcessor
  const { refund: call } = processor
  const record = () => Object.assign(processor, { lookupRefund: () => Effect.succeed(outcome) })
  Object.assign(processor, { refund: (order: RefundOrder) => Effect.tap(call(order), () => Effect.sync(record)) })
})

describe("a refund whose first call is unanswered", () => {
  scenario("resumes even if the processor's error comes from another copy of the core", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      vi.resetModules()
      const copy = yield* Effect.promise(() => import("@pixcharge/core"))
      const unanswered = () => Effect.fail(new copy.ProcessorUnavailable({ operation: "refund", cause: "no answer" }))
      Object.assign(yield* PaymentProcessor, { refund: unanswered, lookupRefund: unanswered, lookup: unanswered })
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding", refund: { attempt: 1 } })
    }),
  )

  scenario("isn't ended by the refusal of a second call; the money goes back once", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOneWithACall(world)
      yield* TestClock.adjust("1 second")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding", refund: { attempt: 1 } })
      expect(yield* deliveries).toEqual(["loja paid superseded"])
      world.bank.endRefund(aCnpj, refundId(paid), "returned")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded" })
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
      expect(yield* returnIds).toEqual([refundId(paid)])
    }),
  )

  scenario("isn't ended by a refusal of the reconciler's call during a slow call of this process", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOneWithACall(world)
      for (let minutes = 0; minutes < 50; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
        expect((yield* find(paid))._tag).toBe("Refunding")
      }
      world.bank.endRefund(aCnpj, refundId(paid), "returned")
      yield* TestClock.adjust("1 hour")
      yield* round
      expect(yield* find(paid)).toMatchObject({ _tag: "Refunded", returns: [{ id: refundId(paid) }] })
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("is called again by a second process while the first process waits", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("returned")
      world.bank.fail("refund", "silent")
      const first = yield* Effect.forkChild(refund(paid), { startImmediately: true })
      const second = yield* refund(paid)
      expect(second).toMatchObject({ _tag: "Refunded" })
      yield* Fiber.interrupt(first)
      expect(yield* returnIds).toEqual([refundId(paid)])
    }),
  )

  scenario("ends with a refusal an hour later if the bank never received the call, and keeps its id", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOneWithACall(world)
      let minutes = 0
      while ((yield* find(paid))._tag === "Refunding" && minutes < 300) {
        yield* TestClock.adjust("1 minute")
        yield* round
        minutes += 1
      }
      expect(minutes).toBeGreaterThanOrEqual(60)
      expect(yield* find(paid)).toMatchObject({ _tag: "Paid", failedRefund: { id: refundId(paid) } })
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* find(paid)).toMatchObject({ failedRefund: { id: refundId(paid), attempt: 1 } })
    }),
  )

  scenario("is found if it is carried out after a refusal, and never made twice", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const { round } = yield* aReconciler
      const paid = yield* aPaidOneWithACall(world)
      for (let minutes = 0; minutes < 180; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
      }
      expect((yield* find(paid))._tag).toBe("Paid")
      world.bank.endRefund(aCnpj, refundId(paid), "returned")
      yield* TestClock.adjust("2 hours")
      yield* round
      expect(yield* find(paid)).toMatchObject({ _tag: "Refunded", refund: { id: refundId(paid) } })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("ends once the bank says that the money is back, even without a look-up of the payment", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOneWithACall(world)
      world.bank.endRefund(aCnpj, refundId(paid), "returned")
      world.bank.fail("lookup", "unreachable")
      const before = world.bank.calls.length
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded" })
      expect(world.bank.calls.slice(before)).not.toContain("lookup")
    }),
  )

  scenario("ends immediately if the bank has recorded its refusal", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOneWithACall(world)
      world.bank.endRefund(aCnpj, refundId(paid), "rejected")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded", refund: { id: refundId(paid, 2) } })
    }),
  )
})

describe("a second call that is refused because the first call used the id", () => {
  scenario("ends the refund with the outcome that the bank has recorded for the first call", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOneWithACall(world)
      yield* recordOutcomeAtRefusal({ _tag: "Rejected", reason: "conta encerrada" })
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* find(paid)).toMatchObject({ _tag: "Paid", failedRefund: { rejection: "conta encerrada" } })
    }),
  )

  scenario("doesn't end the refund while the first call is under way, at any age", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOneWithACall(world)
      yield* TestClock.adjust("2 hours")
      yield* recordOutcomeAtRefusal({ _tag: "Processing" })
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding", refund: { id: refundId(paid) } })
    }),
  )
})

describe("a refusal of a refund", () => {
  scenario("needs no look-up of the refund if it answers the only call", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(world.bank.calls).not.toContain("lookupRefund")
    }),
  )

  scenario("doesn't count while the payment can't be looked up", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected")
      world.bank.fail("lookup", "unreachable")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding" })
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
    }),
  )

  for (const [what, shown] of [
    ["no charge", { status: "unknown", payments: [], returns: [] }],
    ["the charge without its payment", { status: "completed", payments: [], returns: [] }],
  ] as const) {
    scenario(`doesn't count for an hour if the bank shows ${what}`, (world) =>
      Effect.gen(function* () {
        const { round } = yield* aReconciler
        const processor = yield* PaymentProcessor
        const { lookup } = processor
        Object.assign(processor, { lookup: () => Effect.succeed(shown), lookupRefund: () => Effect.succeed(undefined) })
        const [first, second] = [yield* aPaidOne(world), yield* aPaidOne(world)]
        world.bank.refunds("rejected", "rejected")
        for (const paid of [first, second]) expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding" })
        for (let minutes = 0; minutes < 55; minutes++) {
          yield* TestClock.adjust("1 minute")
          yield* round
        }
        expect(yield* find(first)).toMatchObject({ _tag: "Refunding", refund: { id: refundId(first) } })
        Object.assign(processor, { lookup })
        expect(yield* failureTag(refund(first))).toBe("RefundRejected")
        Object.assign(processor, { lookup: () => Effect.succeed(shown) })
        yield* TestClock.adjust("2 hours")
        yield* round
        expect(yield* find(second)).toMatchObject({ _tag: "Paid", failedRefund: { id: refundId(second) } })
      }),
    )
  }

  scenario("leaves every new request the same id if the bank hasn't recorded it", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const processor = yield* PaymentProcessor
      const requestedIds = yield* watchRequestedIds
      const { lookupRefund } = processor
      Object.assign(processor, { lookupRefund: () => Effect.succeed(undefined) })
      world.bank.refunds("rejected")
      for (let times = 0; times < 3; times++) {
        expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
        yield* TestClock.adjust("2 hours")
      }
      expect(requestedIds).toEqual([refundId(paid), refundId(paid), refundId(paid)])
      Object.assign(processor, { lookupRefund })
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded", refund: { id: refundId(paid, 2), attempt: 2 } })
    }),
  )

  scenario("gives a new request the next id if the bank has recorded it, in any process", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      const requestedIds = yield* watchRequestedIds
      world.bank.refunds("rejected")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      world.bank.fail("lookupRefund", "unreachable")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding", refund: { id: refundId(paid) } })
      yield* TestClock.adjust("1 minute")
      yield* round
      expect(yield* find(paid)).toMatchObject({ _tag: "Refunded", refund: { id: refundId(paid, 2) } })
      expect(requestedIds).toEqual([refundId(paid), refundId(paid, 2)])
    }),
  )

  scenario("is followed by another call if it isn't final and the bank hasn't recorded it", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const processor = yield* PaymentProcessor
      const { refund: order } = processor
      const lookupRefund = () => Effect.succeed(undefined)
      // Only the look-up after the first call is unanswered.
      Object.assign(processor, {
        lookupRefund,
        refund: (...call: Parameters<typeof order>) => {
          if (!world.bank.calls.includes("refund")) world.bank.fail("lookup", "unreachable")
          return order(...call)
        },
      })
      world.bank.refunds("rejected")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunding" })
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(world.bank.calls.filter((call) => call === "refund")).toHaveLength(2)
    }),
  )

  scenario("leads to a look-up that also finds returns made elsewhere", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("processing")
      yield* refund(paid)
      const back = aReturn(paid.payment, { id: "D1", kind: "dispute" })
      world.bank.returnMoney(paid, back)
      world.bank.endRefund(aCnpj, refundId(paid), "rejected")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded", returns: [back] })
    }),
  )

  scenario("leads to a look-up that finds an unreported return, which makes the charge refunded", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      const back = aReturn(paid.payment, { id: "D1", kind: "dispute" })
      world.bank.returnMoney(paid, back)
      world.bank.refunds("rejected")
      expect(yield* refund(paid)).toMatchObject({ _tag: "Refunded", returns: [back] })
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )

  scenario("is decided on the current books, not on an older copy of the charge", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const books = yield* Bookkeeping
      const back = aReturn(paid.payment, { id: "D1", kind: "outside" })
      world.bank.refunds("processing")
      const requested = (yield* refund(paid)) as RefundingCharge
      world.bank.endRefund(aCnpj, requested.refund.id, "rejected")
      // The return comes while the answer is on its way, and the answer is applied to a stale copy.
      yield* books.applyView(requested, { status: "completed", payments: [], returns: [back] })
      expect(yield* books.resumeRefund(requested)).toMatchObject({ _tag: "Refunded", returns: [back] })
    }),
  )

  scenario("is stored without the characters that no store accepts", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected")
      world.bank.rejectWith("sem saldo \0 \ud83d fim")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* find(paid)).toMatchObject({ failedRefund: { rejection: "sem saldo \ufffd \ufffd fim" } })
    }),
  )
})

describe("a refund under way for long", () => {
  scenario("leads to a look-up of its payment, too", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      world.bank.refunds("processing")
      yield* refund(paid)
      const half = aReturn(paid.payment, { id: "D1", kind: "outside", amountCents: cents(995) })
      world.bank.returnMoney(paid, half)
      for (let minutes = 0; minutes < 150; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
      }
      expect(yield* find(paid)).toMatchObject({ _tag: "Refunding", returns: [half] })
    }),
  )
})

describe("the refund of an exception", () => {
  const aSecondPayment = Effect.fnUntraced(function* (world: World) {
    const charge = yield* anIssuedCharge()
    yield* pay(world, charge)
    const { notice } = yield* pay(world, charge, { endToEndId: "E2".padEnd(32, "x"), amountCents: cents(700) })
    return notice.endToEndId
  })

  scenario("isn't ended by the refusal of a second call, and its return is recorded", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund: refundException } = yield* paymentExceptions
      world.bank.refunds("unanswered")
      const first = yield* refundException(aCnpj, endToEndId)
      expect(yield* refundException(aCnpj, endToEndId)).toMatchObject({ state: { _tag: "Refunding" } })
      if (first.state._tag !== "Refunding") throw new Error("expected a refund under way")
      world.bank.endRefund(aCnpj, first.state.refund.id, "returned")
      expect(yield* refundException(aCnpj, endToEndId)).toMatchObject({
        state: { _tag: "Refunded" },
        returns: [{ id: first.state.refund.id, amountCents: 700 }],
      })
      expect(yield* exceptions).toEqual([])
      expect(yield* returnIds).toEqual([first.state.refund.id])
    }),
  )

  scenario("is recorded in any state of the charge if it is carried out after a refusal", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund: refundException, resolve } = yield* paymentExceptions
      world.bank.refunds("rejected")
      expect(yield* failureTag(refundException(aCnpj, endToEndId))).toBe("ExceptionRefundRejected")
      yield* resolve(aCnpj, endToEndId, "fica com a loja")
      const row = { issuer: aCnpj, id: `${endToEndId}X0`, endToEndId, kind: "refund", returnedAt: fixtureNow } as const
      const after = yield* recordExceptionReturn({ ...row, amountCents: cents(700) })
      expect(after).toMatchObject({ state: { _tag: "Resolved" }, returns: [{ id: row.id }] })
      expect(yield* returnIds).toEqual([row.id])
    }),
  )

  scenario("finds the bank's own return when it is refused", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund: refundException } = yield* paymentExceptions
      const [open] = yield* exceptions
      if (open === undefined) throw new Error("expected an exception for the second payment")
      // Payments of one second, which the bank lists first: the refunded payment is on a later page.
      const charge = { issuer: aCnpj, txid: open.payment.txid as PaidCharge["txid"] }
      const { chargeId: _, recordedAt: __, late: ___, otherAmount: ____, ...notice } = open.payment
      for (let index = 0; index < 7; index++) {
        world.bank.receive(charge, { ...notice, endToEndId: `E1${index}`.padEnd(32, "x"), paidAt: notice.paidAt - 500 })
      }
      const back = aReturn(open.payment, { id: "D9", kind: "dispute" })
      world.bank.returnMoney({ issuer: aCnpj, txid: open.payment.txid as PaidCharge["txid"] }, back)
      world.bank.refunds("rejected")
      expect(yield* refundException(aCnpj, endToEndId)).toMatchObject({
        state: { _tag: "Refunded", refundId: "D9" },
        returns: [back],
      })
    }),
  )

  const unavailable = new ProcessorUnavailable({ operation: "lookup" })
  for (const [how, shown] of [
    ["doesn't answer look-ups", { lookup: () => unavailable, payments: () => unavailable }],
    [
      "shows no payment",
      {
        lookup: () => Effect.succeed({ status: "completed", payments: [], returns: [] }),
        payments: () => Effect.succeed({ items: [] }),
      },
    ],
  ] as const) {
    scenario(`ends with its refusal after an hour, even if the bank ${how}`, (world) =>
      Effect.gen(function* () {
        const endToEndId = yield* aSecondPayment(world)
        const { refund: refundException } = yield* paymentExceptions
        const { round } = yield* aReconciler
        world.bank.refunds("rejected")
        Object.assign(yield* PaymentProcessor, shown)
        for (let minutes = 0; minutes < 50; minutes++) {
          expect(yield* refundException(aCnpj, endToEndId)).toMatchObject({ state: { _tag: "Refunding" } })
          yield* TestClock.adjust("1 minute")
          yield* round
        }
        yield* TestClock.adjust("1 hour")
        yield* round
        expect(yield* exceptions).toMatchObject([
          { state: { _tag: "Open", failedRefund: { rejection: "no balance" } } },
        ])
      }),
    )
  }

  scenario("fails after the hour with an error that has the payment and the reason", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund: refundException } = yield* paymentExceptions
      world.bank.refunds("rejected")
      world.bank.fail("lookup", "passes", "unreachable", "unreachable", "unreachable")
      yield* refundException(aCnpj, endToEndId)
      yield* TestClock.setTime(fixtureNow + 3_600_000 - 1)
      expect(yield* refundException(aCnpj, endToEndId)).toMatchObject({ state: { _tag: "Refunding" } })
      yield* TestClock.adjust(1)
      const refused = yield* Effect.flip(refundException(aCnpj, endToEndId))
      expect(refused).toMatchObject({ _tag: "ExceptionRefundRejected", issuer: aCnpj, endToEndId })
      expect("reason" in refused && Redacted.value(refused.reason)).toBe("no balance")
    }),
  )

  scenario("has an id of at most 35 characters after any number of calls and attempts", (world) =>
    Effect.gen(function* () {
      const endToEndId = yield* aSecondPayment(world)
      const { refund: refundException } = yield* paymentExceptions
      const ids = new Set<string>()
      for (let attempt = 0; attempt < 40; attempt++) {
        world.bank.refunds("processing")
        const { state } = yield* refundException(aCnpj, endToEndId)
        if (state._tag !== "Refunding") throw new Error("expected a refund under way")
        ids.add(state.refund.id)
        for (let call = 0; call < 3; call++) yield* refundException(aCnpj, endToEndId)
        world.bank.endRefund(aCnpj, state.refund.id, "rejected")
        expect(yield* failureTag(refundException(aCnpj, endToEndId))).toBe("ExceptionRefundRejected")
      }
      expect(ids.size).toBe(40)
      for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{1,35}$/)
    }),
  )
})

import { Bookkeeping, ChargeLists, PixCharges } from "@pixcharge/core"
import type { RefundingCharge } from "@pixcharge/core/charges"
import { aCnpj, aRefundId, aReturn, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { describe, expect } from "vitest"
import { anIssuedCharge, aPaidOne, deliveries, pay, scenario, failureTag, addEndpoint, type World } from "../World.ts"

const refund = ({ issuer, id }: { readonly issuer: typeof aCnpj; readonly id: RefundingCharge["id"] }) =>
  Effect.flatMap(PixCharges, (charges) => charges.refund(issuer, id))

const find = ({ issuer, id }: { readonly issuer: typeof aCnpj; readonly id: RefundingCharge["id"] }) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const resume = (charge: RefundingCharge) => Effect.flatMap(Bookkeeping, (books) => books.resumeRefund(charge))

/** The calls to the processor about refunds, in order. */
const refundCalls = ({ bank }: World) => bank.calls.filter((call) => call === "refund" || call === "lookupRefund")

/** A charge whose refund is committed but unanswered. */
const aHangingOne = Effect.fnUntraced(function* (world: World, fault: "unreachable" | "answerLost") {
  const paid = yield* aPaidOne(world)
  world.bank.fail("refund", fault)
  const hanging = yield* refund(paid)
  return hanging._tag === "Refunding" ? hanging : yield* Effect.die(new Error("expected a refund under way"))
})

describe("a refund", () => {
  scenario("returns the amount paid once, and is published to every endpoint that lists `refunded`", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "contabilidade", "refunded")
      const issued = yield* anIssuedCharge()
      const { charge: paid, notice } = yield* pay(world, issued, { amountCents: cents(2500) })
      yield* TestClock.adjust("1 day")
      const back = yield* refund(paid)
      expect(back).toMatchObject({
        _tag: "Refunded",
        version: 4,
        refundedAt: fixtureNow + 86_400_000,
        refund: { id: aRefundId(notice), attempt: 1 },
        returns: [{ id: aRefundId(notice), kind: "refund", amountCents: 2500 }],
      })
      if (back._tag !== "Refunded") throw new Error("expected a refunded charge")
      expect(world.bank.refundedCents(aCnpj, back.payment.endToEndId)).toBe(2500)
      expect(yield* deliveries).toEqual(["contabilidade refunded waiting"])
      expect(yield* find(paid)).toEqual(back)
      const lists = yield* ChargeLists
      const { items } = yield* lists.returns(aCnpj, { from: 0, until: fixtureNow * 2 }, { limit: 10 })
      expect(items).toEqual(back.returns)
    }),
  )

  scenario("gives the same answer and moves no money if it is requested again", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const first = yield* refund(paid)
      yield* TestClock.adjust("200 days")
      expect(yield* refund(paid)).toEqual(first)
      expect(refundCalls(world)).toEqual(["refund"])
    }),
  )

  scenario("moves the money once if it is requested 20 times in parallel", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const paid = yield* aPaidOne(world)
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => refund(paid)),
        { concurrency: "unbounded" },
      )
      expect(new Set(answers.map((answer) => answer._tag))).toEqual(new Set(["Refunded"]))
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  scenario("is refused without a call for an unpaid, cancelled or unknown charge", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const pending = yield* anIssuedCharge()
      const gone = yield* anIssuedCharge()
      yield* charges.cancel(gone.issuer, gone.id)
      const unknown = { issuer: aCnpj, id: "00000000-0000-0000-0000-000000000000" as typeof gone.id }
      const tags = yield* Effect.all([pending, gone, unknown].map((charge) => failureTag(refund(charge))))
      expect(tags).toEqual(["ChargeNotPaid", "ChargeCancelled", "ChargeNotFound"])
      expect(refundCalls(world)).toEqual([])
    }),
  )

  scenario("is refused after the 90th day, and after a partial return elsewhere", (world) =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const partlyReturned = yield* aPaidOne(world)
      const half = aReturn(partlyReturned.payment, { amountCents: cents(995) })
      yield* books.applyView(partlyReturned, { status: "completed", payments: [], returns: [half] })
      expect(yield* Effect.flip(refund(partlyReturned))).toMatchObject({
        _tag: "ChargePartlyReturned",
        returnedCents: 995,
      })
      const old = yield* aPaidOne(world)
      yield* TestClock.setTime(Date.parse("2026-09-02T03:00:00.000Z"))
      expect(yield* failureTag(refund(old))).toBe("RefundWindowClosed")
      expect(refundCalls(world)).toEqual([])
    }),
  )

  scenario("supersedes an unsent `paid`", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      yield* refund(yield* aPaidOne(world))
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )
})

describe("an unanswered refund", () => {
  scenario("stays under way, whether or not the bank received the call", (world) =>
    Effect.gen(function* () {
      for (const fault of ["unreachable", "answerLost"] as const) {
        const hanging = yield* aHangingOne(world, fault)
        expect(yield* find(hanging)).toEqual(hanging)
        expect(hanging.checkAt).toBe(fixtureNow + 2_000)
      }
    }),
  )

  scenario("is looked up and then requested again under the same id if the bank never received it", (world) =>
    Effect.gen(function* () {
      const hanging = yield* aHangingOne(world, "unreachable")
      expect(yield* resume(hanging)).toMatchObject({ _tag: "Refunded", refund: { id: hanging.refund.id, attempt: 1 } })
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "refund"])
      expect(world.bank.refundedCents(aCnpj, hanging.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("is found by a look-up, and not requested again, if the bank received it", (world) =>
    Effect.gen(function* () {
      const hanging = yield* aHangingOne(world, "answerLost")
      expect((yield* resume(hanging))._tag).toBe("Refunded")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund"])
      expect(world.bank.refundedCents(aCnpj, hanging.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("is also resumed by a repeated request", (world) =>
    Effect.gen(function* () {
      const hanging = yield* aHangingOne(world, "unreachable")
      expect((yield* refund(hanging))._tag).toBe("Refunded")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "refund"])
    }),
  )

  scenario("stays under way while the processor doesn't answer, and isn't requested without a look-up", (world) =>
    Effect.gen(function* () {
      const hanging = yield* aHangingOne(world, "unreachable")
      world.bank.fail("lookupRefund", "unreachable", "answerLost")
      expect(yield* failureTag(resume(hanging))).toBe("ProcessorUnavailable")
      // The caller gets the refund under way, not the processor's failure.
      expect(yield* refund(hanging)).toEqual(hanging)
      expect(yield* find(hanging)).toEqual(hanging)
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "lookupRefund"])
    }),
  )

  scenario("survives a crash between its commit and the processor's answer; the money goes back once", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.fail("refund", "silent")
      const caller = yield* Effect.forkChild(refund(paid), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(caller)
      const interrupted = yield* find(paid)
      if (interrupted._tag !== "Refunding") throw new Error("expected a committed refund")
      expect((yield* resume(interrupted))._tag).toBe("Refunded")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund"])
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("survives a crash between the processor's answer and its commit", (world) =>
    Effect.gen(function* () {
      const hanging = yield* aHangingOne(world, "answerLost")
      for (const fault of ["unreachable", "answerLost"] as const) {
        world.storeFaults.set("commit", fault)
        expect(yield* failureTag(resume(hanging))).toBe("StoreUnavailable")
      }
      expect((yield* refund(hanging))._tag).toBe("Refunded")
      expect(world.bank.refundedCents(aCnpj, hanging.payment.endToEndId)).toBe(1990)
      expect((yield* find(hanging)).returns).toHaveLength(1)
    }),
  )

  scenario("stays under way while the processor works on it", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      world.bank.refunds("processing")
      const hanging = yield* refund(paid)
      expect(hanging._tag).toBe("Refunding")
      expect(yield* refund(paid)).toEqual(hanging)
      if (hanging._tag !== "Refunding") throw new Error("expected a refund under way")
      expect(yield* deliveries).toEqual(["loja paid superseded"])
      world.bank.endRefund(aCnpj, hanging.refund.id, "returned")
      expect((yield* resume(hanging))._tag).toBe("Refunded")
      expect(refundCalls(world).filter((call) => call === "refund")).toHaveLength(1)
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )

  scenario("ends once if 10 processes resume it in parallel", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const hanging = yield* aHangingOne(world, "unreachable")
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => resume(hanging)),
        { concurrency: "unbounded" },
      )
      expect(new Set(answers.map(({ _tag }) => _tag))).toEqual(new Set(["Refunded"]))
      expect(world.bank.refundedCents(aCnpj, hanging.payment.endToEndId)).toBe(1990)
      expect((yield* find(hanging)).returns).toHaveLength(1)
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )
})

describe("a failed refund", () => {
  scenario("leaves the charge paid with the reason, and delivers its unsent `paid`", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const paid = yield* aPaidOne(world)
      const rings = world.rings
      world.bank.refunds("rejected")
      const refused = yield* Effect.flip(refund(paid))
      expect(refused._tag === "RefundRejected" && Redacted.value(refused.reason)).toBe("no balance")
      expect(inspect(refused)).not.toContain("no balance")
      expect(yield* find(paid)).toMatchObject({
        _tag: "Paid",
        payment: paid.payment,
        failedRefund: { id: aRefundId(paid.payment), attempt: 1, rejection: "no balance" },
      })
      expect(yield* deliveries).toEqual(["loja paid waiting"])
      expect(world.rings).toBe(rings + 1)
    }),
  )

  scenario("can be requested again, and gets a new id", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected", "rejected", "returned")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* failureTag(refund(paid))).toBe("RefundRejected")
      expect(yield* refund(paid)).toMatchObject({
        _tag: "Refunded",
        refund: { id: aRefundId(paid.payment, 3), attempt: 3 },
      })
      expect(world.bank.refundedCents(aCnpj, paid.payment.endToEndId)).toBe(1990)
    }),
  )

  scenario("leaves the charge refunded if the whole payment went back elsewhere", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const paid = yield* aPaidOne(world)
      world.bank.refunds("processing")
      const hanging = yield* refund(paid)
      if (hanging._tag !== "Refunding") throw new Error("expected a refund under way")
      const books = yield* Bookkeeping
      const outside = aReturn(paid.payment, { kind: "dispute" })
      const waiting = yield* books.applyView(hanging, { status: "completed", payments: [], returns: [outside] })
      expect(waiting).toMatchObject({ _tag: "Refunding", returns: [outside] })
      world.bank.endRefund(aCnpj, hanging.refund.id, "rejected")
      const back = yield* resume(hanging)
      expect(back).toMatchObject({ _tag: "Refunded", refundedAt: outside.returnedAt, returns: [outside] })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )
})

import { Actor, AuditLog, Bookkeeping, ChargeLists, ChargeStore, PaymentProcessor, PixCharges } from "@pixcharge/core"
import { type Charge, type PaidCharge, partialRefundStatus } from "@pixcharge/core/charges"
import { aChange, aCnpj, aReturn, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { describe, expect } from "vitest"
import { partialRefundId } from "../../src/model/charge/Refund.ts"
import {
  addEndpoint,
  anIssuedCharge,
  aPaidOne,
  aReconciler,
  deliveries,
  failureTag,
  scenario,
  type World,
} from "../World.ts"

type Named = Pick<Charge, "issuer" | "id">

const refundPart = ({ issuer, id }: Named, key: string, amountCents: number) =>
  Effect.flatMap(PixCharges, (charges) => charges.refundPart(issuer, id, { key, amountCents: cents(amountCents) }))

const refund = ({ issuer, id }: Named) => Effect.flatMap(PixCharges, (charges) => charges.refund(issuer, id))

const find = ({ issuer, id }: Named) => Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

/** The calls to the processor about refunds, in order. */
const refundCalls = ({ bank }: World) => bank.calls.filter((call) => call === "refund" || call === "lookupRefund")

/** The states of all parts. */
const parts = (charge: Named) =>
  Effect.map(find(charge), ({ partialRefunds = [], returns }) =>
    partialRefunds.map((part) => `${part.key} ${part.amountCents} ${partialRefundStatus(part, returns)}`),
  )

const returns = Effect.flatMap(ChargeLists, (lists) =>
  Effect.map(lists.returns(aCnpj, { from: 0, until: fixtureNow * 2 }, { limit: 100 }), ({ items }) =>
    items.map(({ id, kind, amountCents }) => `${id.slice(30)} ${kind} ${amountCents}`),
  ),
)

const idOf = ({ payment }: PaidCharge, key: string, attempt = 1) => partialRefundId(payment, key, attempt)

const refundedAtBank = ({ bank }: World, { payment }: PaidCharge) => bank.refundedCents(aCnpj, payment.endToEndId)

/** A paid charge with a part of 500 whose first call had this fault. */
const aHangingPart = Effect.fnUntraced(function* (world: World, fault: "unreachable" | "answerLost") {
  const paid = yield* aPaidOne(world)
  world.bank.fail("refund", fault)
  yield* refundPart(paid, "a", 500)
  expect(yield* parts(paid)).toEqual(["a 500 refunding"])
  return paid
})

describe("a partial refund", () => {
  scenario("keeps its check if a stale commit recorded its return, and ends at that check", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aHangingPart(world, "answerLost")
      const waiting = yield* find(paid)
      const returned = aReturn(paid.payment, { id: idOf(paid, "a"), kind: "refund", amountCents: cents(500) })
      const late = aChange(waiting, { expectedVersion: waiting.version - 1, returns: [returned] })
      yield* (yield* ChargeStore).commit(late)
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(yield* find(paid)).toMatchObject({ _tag: "Paid", checkAt: waiting.checkAt })
      yield* TestClock.adjust("3 seconds")
      yield* round
      expect(yield* find(paid)).not.toHaveProperty("checkAt")
      expect(refundCalls(world)).toEqual(["refund"])
    }),
  )

  scenario("doesn't need the directory if a rest is left, because it publishes no event", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      world.directoryIsDown = true
      yield* refundPart(paid, "a", 500)
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      // The rest makes the charge refunded, and that event needs the directory.
      expect(yield* failureTag(refundPart(paid, "b", 1490))).toBe("DirectoryUnavailable")
      world.directoryIsDown = false
      yield* refundPart(paid, "b", 1490)
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )

  scenario("returns its cents once; the charge stays paid until all went back, and one event is published", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      const first = yield* refundPart(paid, "a", 500)
      expect(first.charge).toMatchObject({ _tag: "Paid", payment: paid.payment })
      expect(first.partialRefund).toMatchObject({ key: "a", amountCents: 500, refund: { id: idOf(paid, "a") } })
      expect(first.charge).toEqual(yield* find(paid))
      expect(yield* returns).toEqual(["P1 refund 500"])
      expect(yield* deliveries).toEqual(["loja paid waiting"])
      yield* TestClock.adjust("1 day")
      expect((yield* refundPart(paid, "b", 1490)).charge).toMatchObject({
        _tag: "Refunded",
        refundedAt: fixtureNow + 86_400_000,
      })
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
      expect(yield* returns).toEqual(["P1 refund 500", "P1 refund 1490"])
      expect(refundedAtBank(world, paid)).toBe(1990)
      yield* TestClock.adjust("200 days")
      expect((yield* refundPart(paid, "a", 500)).partialRefund).toEqual(first.partialRefund)
      expect(refundCalls(world)).toEqual(["refund", "refund"])
    }),
  )

  scenario("moves the money once if it is requested 20 times in parallel under one key", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const same = Array.from({ length: 20 }, () => failureTag(refundPart(paid, "a", 500)))
      expect(new Set(yield* Effect.all(same, { concurrency: "unbounded" }))).toEqual(new Set(["none"]))
      expect(refundedAtBank(world, paid)).toBe(500)
      world.bank.refunds("processing")
      const others = Array.from({ length: 20 }, (_, index) => failureTag(refundPart(paid, `b${index}`, 1000)))
      const answers = yield* Effect.all(others, { concurrency: "unbounded" })
      expect(answers.filter((tag) => tag === "none")).toHaveLength(1)
      expect(new Set(answers)).toEqual(new Set(["none", "PartialRefundUnderWay"]))
      // A repeat of the returned part doesn't ask the bank about the other part.
      const before = refundCalls(world).length
      expect(yield* failureTag(refundPart(paid, "a", 500))).toBe("none")
      expect(refundCalls(world)).toHaveLength(before)
      expect(yield* failureTag(refund(paid))).toBe("ChargePartlyReturned")
    }),
  )

  scenario("begins only if a full refund requested at the same time doesn't", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const both = [failureTag(refundPart(paid, "a", 500)), failureTag(refund(paid))]
      const answers = yield* Effect.all(both, { concurrency: "unbounded" })
      expect(answers.filter((tag) => tag === "none")).toHaveLength(1)
      expect(yield* returns).toHaveLength(1)
    }),
  )

  scenario("is refused without a call if it isn't possible", (world) =>
    Effect.gen(function* () {
      const pending = yield* anIssuedCharge()
      const unknown = { issuer: aCnpj, id: "00000000-0000-0000-0000-000000000000" as typeof pending.id }
      const paid = yield* aPaidOne(world)
      const refused = [refundPart(pending, "a", 1), refundPart(unknown, "a", 1), refundPart(paid, "a", 1991)]
      expect(yield* Effect.all(refused.map(failureTag))).toEqual([
        "ChargeNotPaid",
        "ChargeNotFound",
        "RefundExceedsRest",
      ])
      yield* TestClock.setTime(Date.parse("2026-09-02T03:00:00.000Z"))
      expect(yield* failureTag(refundPart(paid, "a", 1))).toBe("RefundWindowClosed")
      expect(refundCalls(world)).toEqual([])
    }),
  )

  scenario("conflicts and moves no money if its key was used with other cents", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const { charge } = yield* refundPart(paid, "a", 500)
      expect(yield* failureTag(refundPart(paid, "a", 501))).toBe("PartialRefundConflict")
      expect(yield* find(paid)).toEqual(charge)
    }),
  )

  scenario("fails with the processor's reason if it is rejected, and can be requested again", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      world.bank.rejectWith("conta de Ana Souza encerrada")
      world.bank.refunds("rejected")
      const error = yield* Effect.flip(refundPart(paid, "a", 500))
      expect(error).toMatchObject({ _tag: "RefundRejected" })
      expect(inspect(error)).not.toContain("Ana")
      expect(yield* parts(paid)).toEqual(["a 500 failed"])
      expect((yield* refundPart(paid, "a", 500)).partialRefund.refund).toMatchObject({
        id: idOf(paid, "a", 2),
        attempt: 2,
      })
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(yield* deliveries).toEqual(["loja paid waiting"])
    }),
  )

  scenario("is in the audit log with its actor, but a repeated request isn't", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected")
      const byAna = Effect.provideService(Actor, "ana")
      yield* byAna(Effect.flip(refundPart(paid, "a", 500)))
      yield* byAna(refundPart(paid, "a", 500))
      yield* refundPart(paid, "a", 500)
      yield* Effect.flip(byAna(refundPart(paid, "b", 9999)))
      yield* refundPart(paid, "b", 1490)
      const log = yield* AuditLog
      const { items } = yield* log.list(aCnpj, { kind: "partialRefundRequested" }, { limit: 10 })
      const change = { kind: "partialRefundRequested", chargeId: paid.id, key: "a", amountCents: 500 }
      expect(items.map(({ by, change: what }) => ({ by, what })).toReversed()).toEqual([
        { by: "ana", what: change },
        { by: "ana", what: change },
        { by: undefined, what: { ...change, key: "b", amountCents: 1490 } },
      ])
    }),
  )

  scenario("doesn't begin if its commit fails, and resumes under its key if only the answer was lost", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.storeFaults.set("commit", "unreachable")
      expect(yield* failureTag(refundPart(paid, "a", 500))).toBe("StoreUnavailable")
      expect(yield* parts(paid)).toEqual([])
      world.storeFaults.set("commit", "answerLost")
      expect(yield* failureTag(refundPart(paid, "a", 500))).toBe("StoreUnavailable")
      expect(refundCalls(world)).toEqual([])
      yield* refundPart(paid, "a", 500)
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      // Another process can have called since the commit, so a look-up comes first.
      expect(refundCalls(world)).toEqual(["lookupRefund", "refund"])
      expect(refundedAtBank(world, paid)).toBe(500)
    }),
  )
})

describe("a partial refund with other cents at the bank under its id", () => {
  for (const answered of [500, undefined]) {
    const how = answered === undefined ? "the bank answers only the look-up" : "the bank answers the call"
    scenario(`conflicts if ${how}, and counts as returned once the bank's cents are requested`, (world) =>
      Effect.gen(function* () {
        const { round } = yield* aReconciler
        const paid = yield* aPaidOne(world)
        const processor = yield* PaymentProcessor
        const { issuer, payment } = paid
        // Another call made this refund, and the restored backup lacks it.
        const refundId = idOf(paid, "a")
        yield* processor.refund({ issuer, endToEndId: payment.endToEndId, amountCents: cents(500), refundId })
        if (answered === undefined) world.bank.fail("refund", "unreachable")
        const first = yield* failureTag(refundPart(paid, "a", 700))
        expect(first).toBe(answered === undefined ? "none" : "PartialRefundConflict")
        yield* TestClock.adjust("1 minute")
        yield* round
        expect(yield* parts(paid)).toEqual(["a 700 failed"])
        expect(yield* failureTag(refundPart(paid, "a", 700))).toBe("PartialRefundConflict")
        yield* refundPart(paid, "a", 500)
        expect(yield* parts(paid)).toEqual(["a 500 returned"])
        expect(yield* returns).toEqual(["P1 refund 500"])
        expect(refundedAtBank(world, paid)).toBe(500)
      }),
    )
  }
})

describe("an unanswered partial refund", () => {
  scenario("is found if the bank received it, and otherwise requested again under the same id", (world) =>
    Effect.gen(function* () {
      for (const fault of ["unreachable", "answerLost"] as const) {
        const paid = yield* aHangingPart(world, fault)
        expect(yield* failureTag(refundPart(paid, "b", 1))).toBe("PartialRefundUnderWay")
        yield* refundPart(paid, "a", 500)
        expect(yield* parts(paid)).toEqual(["a 500 returned"])
        expect(refundedAtBank(world, paid)).toBe(500)
      }
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund", "refund", "refund", "lookupRefund"])
    }),
  )

  scenario("is ended by the reconciler", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      world.bank.fail("refund", "answerLost")
      yield* refundPart(paid, "a", 500)
      yield* TestClock.adjust("3 seconds")
      yield* round
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(yield* find(paid)).not.toHaveProperty("checkAt")
      expect(refundCalls(world)).toEqual(["refund", "lookupRefund"])
    }),
  )

  scenario("is looked up repeatedly while the processor works on it", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      world.bank.refunds("processing")
      yield* refundPart(paid, "a", 500)
      for (let minutes = 0; minutes < 5; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
        expect(yield* parts(paid)).toEqual(["a 500 refunding"])
      }
      world.bank.endRefund(aCnpj, idOf(paid, "a"), "returned")
      yield* TestClock.adjust("1 hour")
      yield* round
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
    }),
  )

  scenario("isn't ended by the refusal of a second call while the first can be carried out", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      world.bank.refunds("unanswered")
      yield* refundPart(paid, "a", 500)
      for (let minutes = 0; minutes < 50; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
        expect(yield* parts(paid)).toEqual(["a 500 refunding"])
      }
      world.bank.endRefund(aCnpj, idOf(paid, "a"), "returned")
      yield* TestClock.adjust("1 hour")
      yield* round
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(refundedAtBank(world, paid)).toBe(500)
    }),
  )

  scenario("is found if it is carried out after a refusal, and blocks other refunds until then", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const paid = yield* aPaidOne(world)
      world.bank.refunds("unanswered")
      yield* refundPart(paid, "a", 500)
      for (let hours = 0; hours < 4; hours++) {
        yield* TestClock.adjust("1 hour")
        yield* round
      }
      expect(yield* parts(paid)).toEqual(["a 500 failed"])
      expect(yield* failureTag(refundPart(paid, "b", 1))).toBe("PartialRefundUnderWay")
      expect(yield* failureTag(refund(paid))).toBe("ChargePartlyReturned")
      world.bank.endRefund(aCnpj, idOf(paid, "a"), "returned")
      yield* TestClock.adjust("2 hours")
      yield* round
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(refundedAtBank(world, paid)).toBe(500)
    }),
  )

  scenario("is found by the daily comparison as our own refund", (world) =>
    Effect.gen(function* () {
      const { reconcile } = yield* aReconciler
      const paid = yield* aHangingPart(world, "answerLost")
      const found = yield* reconcile(aCnpj, { from: 0, until: fixtureNow * 2 })
      expect(found).toMatchObject({ payments: 0, returns: 1 })
      expect(yield* returns).toEqual(["P1 refund 500"])
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      yield* refundPart(paid, "b", 1490)
      expect((yield* find(paid))._tag).toBe("Refunded")
    }),
  )

  scenario("survives a crash between its commit and the processor's answer", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      world.bank.fail("refund", "silent")
      const caller = yield* Effect.forkChild(refundPart(paid, "a", 500), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(caller)
      expect(yield* parts(paid)).toEqual(["a 500 refunding"])
      yield* refundPart(paid, "a", 500)
      expect(yield* parts(paid)).toEqual(["a 500 returned"])
      expect(refundedAtBank(world, paid)).toBe(500)
    }),
  )

  scenario("fails if too little is left after returns elsewhere", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const books = yield* Bookkeeping
      const paid = yield* aHangingPart(world, "unreachable")
      const dispute = aReturn(paid.payment, { kind: "dispute", amountCents: cents(1990) })
      yield* books.applyView(paid, { status: "completed", payments: [], returns: [dispute] })
      for (let minutes = 0; minutes < 30; minutes++) {
        yield* TestClock.adjust("1 minute")
        yield* round
      }
      expect((yield* find(paid))._tag).toBe("Paid")
      yield* TestClock.adjust("2 hours")
      yield* round
      expect((yield* find(paid))._tag).toBe("Refunded")
      expect(yield* parts(paid)).toEqual(["a 500 failed"])
      expect(refundedAtBank(world, paid)).toBe(0)
      expect(refundCalls(world).filter((call) => call === "refund")).toHaveLength(1)
    }),
  )
})

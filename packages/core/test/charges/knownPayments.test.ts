import { Bookkeeping, ChargeStore, ExceptionStore, PixCharges } from "@pixcharge/core"
import type { Charge, Payment, PaymentNotice, Return } from "@pixcharge/core/charges"
import {
  aChange,
  aCnpj,
  aNotice,
  aPayment,
  aPendingCharge,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { aPaidOne, anIssuedCharge, aReconciler, aRequest, exceptions, issue, scenario, type World } from "../World.ts"

const always = { from: 0, until: fixtureNow * 2 }

const reconcile = Effect.flatMap(aReconciler, (reconciler) => reconciler.reconcile(aCnpj, always))

/** The bank lists the payment with its returns. */
const list = ({ bank }: World, charge: Charge, notice: PaymentNotice, returns: ReadonlyArray<Return> = []) => {
  bank.receive(charge, notice)
  for (const returned of returns) bank.returnMoney(charge, returned)
}

const findCharge = ({ id }: Charge) => Effect.flatMap(PixCharges, (charges) => charges.find(aCnpj, id))

const toNotice = ({ chargeId: _, recordedAt: __, late: ___, otherAmount: ____, ...notice }: Payment): PaymentNotice =>
  notice

const halfOf = (payment: Payment) => aReturn(payment, { id: "H1", kind: "dispute", amountCents: cents(250) })

/** A page of known payments of each kind. */
const aKnownPage = Effect.fnUntraced(function* (world: World) {
  const books = yield* Bookkeeping
  const paid = yield* aPaidOne(world)
  const further = aNotice(paid, { amountCents: cents(500) })
  const { txid: _, ...unnamed } = aNotice(paid, { amountCents: cents(700) })
  const returns = [halfOf({ ...paid.payment, ...further })]
  yield* books.recordReceivedPayment({ ...further, returns })
  yield* books.recordReceivedPayment({ ...unnamed, returns: [] })
  list(world, paid, further, returns)
  list(world, paid, unnamed)
  world.log.length = 0
})

describe("known payments in a processor's list", () => {
  scenario("cost one look-up per page", (world) =>
    Effect.gen(function* () {
      yield* aKnownPage(world)
      expect(yield* reconcile).toEqual({ listed: 3, payments: 0, returns: 0 })
      expect(world.log).toEqual(["standings"])
    }),
  )

  scenario("are looked up one by one if the look-up of the page fails", (world) =>
    Effect.gen(function* () {
      yield* aKnownPage(world)
      world.storeFaults.set("standings", "unreachable")
      expect(yield* reconcile).toEqual({ listed: 3, payments: 0, returns: 0 })
      expect(world.log.filter((call) => call !== "find")).toEqual(Array.from({ length: 4 }, () => "standings"))
    }),
  )
})

describe("a known payment, listed again", () => {
  scenario("settles its charge after a stale commit recorded only the payment", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const payment = aPayment(issued)
      yield* (yield* ChargeStore).commit(aChange(issued, { expectedVersion: 7, payments: [payment] }))
      list(world, issued, toNotice(payment))
      expect(yield* reconcile).toEqual({ listed: 1, payments: 0, returns: 0 })
      expect(yield* findCharge(issued)).toMatchObject({ _tag: "Paid", payment })
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("settles the charge that it names if that charge is issued later", (world) =>
    Effect.gen(function* () {
      const unknown = aPendingCharge()
      const notice = aNotice(unknown)
      yield* (yield* Bookkeeping).recordReceivedPayment({ ...notice, returns: [] })
      list(world, unknown, notice)
      expect(yield* reconcile).toMatchObject({ payments: 0 })
      const issued = yield* issue(aRequest({ id: unknown.id }))
      expect(yield* reconcile).toMatchObject({ payments: 0 })
      expect(yield* findCharge(issued)).toMatchObject({ _tag: "Paid", payment: notice })
    }),
  )

  scenario("makes its charge refunded after a stale commit recorded only the return", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const returned = aReturn(paid.payment)
      world.bank.returnMoney(paid, returned)
      yield* (yield* ChargeStore).commit(aChange(paid, { expectedVersion: 7, returns: [returned] }))
      expect(yield* reconcile).toEqual({ listed: 1, payments: 0, returns: 0 })
      expect(yield* findCharge(paid)).toMatchObject({ _tag: "Refunded", returns: [returned] })
    }),
  )

  scenario("makes its exception returned after a stale commit recorded only the return", (world) =>
    Effect.gen(function* () {
      const { txid: _, ...unnamed } = aNotice(aPendingCharge())
      yield* (yield* Bookkeeping).recordReceivedPayment({ ...unnamed, returns: [] })
      const [exception] = yield* exceptions
      if (exception === undefined) throw new Error("expected an exception for a payment of no charge")
      const returned = aReturn(exception.payment)
      list(world, aPendingCharge(), unnamed, [returned])
      const { endToEndId } = unnamed
      const stale = {
        issuer: aCnpj,
        endToEndId,
        expectedVersion: 7,
        movedAt: fixtureNow,
        next: exception.state,
        returns: [returned],
      }
      yield* (yield* ExceptionStore).commit(stale)
      expect(yield* reconcile).toEqual({ listed: 1, payments: 0, returns: 0 })
      expect(yield* (yield* ExceptionStore).find(aCnpj, endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
    }),
  )

  scenario("records a new return once, under its id in the books", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      yield* (yield* PixCharges).confirmPayment(notice)
      const half = halfOf(aPayment(issued, notice))
      const endToEndId = notice.endToEndId.toLowerCase()
      list(world, issued, { ...notice, endToEndId }, [{ ...half, endToEndId }])
      expect(yield* reconcile).toEqual({ listed: 1, payments: 0, returns: 1 })
      expect(yield* reconcile).toEqual({ listed: 1, payments: 0, returns: 0 })
      expect(yield* findCharge(issued)).toMatchObject({ _tag: "Paid", payment: notice, returns: [half] })
    }),
  )
})

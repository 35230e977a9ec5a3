import { Bookkeeping, ChargeStore, ExceptionStore, PixCharges } from "@pixcharge/core"
import { factKinds, type Payment } from "@pixcharge/core/charges"
import { aCnpj, aNotice, anEndToEndId, aReturn, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { anIssuedCharge, aPaidOne, deliveries, scenario, addEndpoint } from "../World.ts"

const listed = ({ chargeId: _, recordedAt: __, late: ___, otherAmount: ____, ...notice }: Payment) => notice

describe("a listed payment", () => {
  scenario("makes its charge refunded if a process died after recording the returns", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const paid = yield* aPaidOne(world)
      const returned = aReturn(paid.payment)
      // The stale commit records only the return.
      const stale = { issuer: aCnpj, id: paid.id, expectedVersion: 1, payments: [], deliveries: [] }
      yield* (yield* ChargeStore).commit({ ...stale, returns: [returned] })
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const received = { ...listed(paid.payment), returns: [returned] }
      expect(yield* books.recordReceivedPayment(received)).toMatchObject({ payments: 0, returns: 0 })
      expect(yield* charges.find(aCnpj, paid.id)).toMatchObject({ _tag: "Refunded", returns: [returned] })
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )

  scenario("makes its charge refunded if the returns were recorded before the payment", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      const halves = ["A", "B"].map((id) =>
        aReturn({ ...notice, recordedAt: 0, late: false, otherAmount: false }, { id, amountCents: cents(995) }),
      )
      yield* books.applyView(issued, { status: "completed", payments: [], returns: halves })
      yield* charges.confirmPayment(notice)
      expect(yield* books.recordReceivedPayment({ ...notice, returns: halves })).toMatchObject({
        payments: 0,
        returns: 0,
      })
      expect(yield* charges.find(aCnpj, issued.id)).toMatchObject({ _tag: "Refunded", returns: halves })
    }),
  )

  scenario(
    "gives its charge a version for each of its events",
    (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", "paid", "part-refunded")
        const issued = yield* anIssuedCharge()
        const payment = { ...aNotice(issued), recordedAt: 0, late: false, otherAmount: false }
        const halves = ["A", "B"].map((id) => aReturn(payment, { id, amountCents: cents(5) }))
        yield* (yield* Bookkeeping).recordReceivedPayment({ ...listed(payment), returns: halves })
        expect(yield* deliveries).toHaveLength(3)
        expect((yield* (yield* PixCharges).find(aCnpj, issued.id)).version).toBe(issued.version + 3)
      }),
    "remote",
    factKinds,
  )

  scenario("costs only reads if charge and returns are up to date", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      const further = aNotice(paid, { amountCents: cents(500) })
      yield* charges.confirmPayment(further)
      const half = { id: "H", kind: "dispute", amountCents: cents(250), returnedAt: fixtureNow } as const
      const returns = [{ ...half, issuer: aCnpj, endToEndId: further.endToEndId }]
      expect(yield* books.recordReceivedPayment({ ...further, returns })).toMatchObject({ payments: 0, returns: 1 })
      world.log.length = 0
      expect(yield* books.recordReceivedPayment({ ...further, returns })).toMatchObject({ payments: 0, returns: 0 })
      expect(world.log).toEqual(["standings", "find"])
    }),
  )

  scenario("costs a look-up in the books, a look-up of its charge, and a commit if it is new", (world) =>
    Effect.gen(function* () {
      const notice = aNotice(yield* anIssuedCharge())
      world.log.length = 0
      const recorded = yield* (yield* Bookkeeping).recordReceivedPayment({ ...notice, returns: [] })
      expect(recorded).toEqual({ payments: 1, returns: 0, isUnmatched: false })
      expect(world.log).toEqual(["standings", "find", "commit"])
    }),
  )

  scenario("costs only a commit if the caller has read its pending charge", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      world.log.length = 0
      yield* (yield* Bookkeeping).recordReceivedPayment({ ...aNotice(issued), returns: [] }, issued)
      expect(world.log).toEqual(["commit"])
    }),
  )

  scenario("is recorded once and settles once if the caller's charge is out of date", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const [first, second] = [aNotice(issued), aNotice(issued)]
      for (const notice of [first, first, second]) {
        yield* books.recordReceivedPayment({ ...notice, returns: [] }, issued)
      }
      expect(yield* charges.find(aCnpj, issued.id)).toMatchObject({
        _tag: "Paid",
        payment: { endToEndId: first.endToEndId },
      })
      expect(yield* deliveries).toEqual(["loja paid waiting"])
      const exceptions = yield* ExceptionStore
      expect(yield* exceptions.find(aCnpj, first.endToEndId)).toBeUndefined()
      expect(yield* exceptions.find(aCnpj, second.endToEndId)).toMatchObject({ state: { _tag: "Open" } })
    }),
  )

  scenario("settles its own charge even if the caller has read another charge", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const [paid, read] = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      yield* books.recordReceivedPayment({ ...aNotice(paid), returns: [] }, read)
      const found = [yield* charges.find(aCnpj, paid.id), yield* charges.find(aCnpj, read.id)]
      expect(found.map(({ _tag }) => _tag)).toEqual(["Paid", "Pending"])
    }),
  )

  scenario("has each return recorded once by its id, ignoring case", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      const half = aReturn(paid.payment, { id: "PortalAb1", amountCents: cents(995) })
      const again = { ...half, id: "PORTALAB1" }
      const received = { ...listed(paid.payment), returns: [half] }
      expect(yield* books.recordReceivedPayment(received)).toMatchObject({ payments: 0, returns: 1 })
      expect(yield* books.recordReceivedPayment({ ...received, returns: [again] })).toMatchObject({
        payments: 0,
        returns: 0,
      })
      const view = { status: "completed", payments: [], returns: [again] } as const
      yield* books.applyView(yield* charges.find(aCnpj, paid.id), view)
      expect(yield* charges.find(aCnpj, paid.id)).toMatchObject({ _tag: "Paid", returns: [half] })
    }),
  )

  scenario("makes its exception returned if a stale commit recorded only the return", () =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const exceptions = yield* ExceptionStore
      const notice = { issuer: aCnpj, endToEndId: anEndToEndId(), amountCents: cents(500), paidAt: fixtureNow }
      yield* books.recordReceivedPayment({ ...notice, returns: [] })
      const exception = yield* exceptions.find(aCnpj, notice.endToEndId)
      if (exception === undefined) throw new Error("expected an exception for a payment of no charge")
      const returned = aReturn(exception.payment)
      const stale = {
        issuer: aCnpj,
        endToEndId: notice.endToEndId,
        expectedVersion: 7,
        movedAt: fixtureNow,
        next: exception.state,
      }
      yield* exceptions.commit({ ...stale, returns: [returned] })
      yield* books.recordReceivedPayment({ ...notice, returns: [returned] })
      expect(yield* exceptions.find(aCnpj, notice.endToEndId)).toMatchObject({
        state: { _tag: "Refunded", refundId: returned.id },
        returns: [returned],
      })
    }),
  )
})

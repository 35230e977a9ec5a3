import {
  Bookkeeping,
  ChargeLists,
  ExceptionStore,
  PaymentProcessor,
  PixCharges,
  type RefundOrder,
} from "@pixcharge/core"
import type { PaymentNotice, PendingCharge, RefundOutcome, Return } from "@pixcharge/core/charges"
import { aCnpj, aNotice, cents } from "@pixcharge/adapter-tests/fixtures"
import { chargeRefundId, partialRefundId } from "../../src/model/charge/Refund.ts"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import {
  addEndpoint,
  anIdleReconciler,
  anIssuedCharge,
  deliveries,
  paymentExceptions,
  scenario,
  type World,
} from "../World.ts"

/** A charge paid twice. The later payment settled it, because the bank listed the earlier payment late. */
const paidTwice = Effect.fnUntraced(function* () {
  const charge = yield* anIssuedCharge()
  const earlier = aNotice(charge, { paidAt: charge.createdAt + 1_000 })
  const later = aNotice(charge, { paidAt: charge.createdAt + 2_000 })
  return { charge, earlier, later }
})

const returned = (
  { issuer, endToEndId, paidAt, amountCents }: PaymentNotice,
  id: string,
  backCents = amountCents,
): Return => ({
  issuer,
  endToEndId,
  id,
  kind: "refund",
  amountCents: backCents,
  returnedAt: paidAt + 60_000,
})

type Money = readonly [payments: ReadonlyArray<PaymentNotice>, returns: ReadonlyArray<Return>]
type Tell = (charge: PendingCharge, ...money: Money) => Effect.Effect<unknown, unknown, Bookkeeping>

/** How restored books can learn of the money, in any order. */
const ways: ReadonlyArray<readonly [string, Tell]> = [
  ["a look-up, earlier payment first", (charge, payments, returns) => tellView(charge, payments, returns)],
  ["a look-up, later payment first", (charge, payments, returns) => tellView(charge, payments.toReversed(), returns)],
  ["lists, earlier payment first", (_, payments, returns) => tellLists(payments, returns)],
  ["lists, later payment first", (_, payments, returns) => tellLists(payments.toReversed(), returns)],
  [
    "lists that show the return later",
    (_, payments, returns) => Effect.andThen(tellLists(payments, []), tellLists(payments, returns)),
  ],
]

const tellView = (charge: PendingCharge, ...[payments, returns]: Money) =>
  Effect.flatMap(Bookkeeping, (books) => books.applyView(charge, { status: "completed", payments, returns }))

const tellLists = (...[payments, returns]: Money) =>
  Effect.flatMap(Bookkeeping, (books) =>
    Effect.forEach(payments, (payment) =>
      books.recordReceivedPayment({
        ...payment,
        returns: returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId),
      }),
    ),
  )

const findException = (endToEndId: string) => Effect.flatMap(ExceptionStore, (store) => store.find(aCnpj, endToEndId))

const refundCalls = ({ bank }: World) => bank.calls.filter((call) => call === "refund")

/** The bank has both payments and the return. */
const atBank = (world: World, charge: PendingCharge, ...[payments, returns]: Money) => {
  for (const payment of payments) world.bank.receive(charge, payment)
  for (const back of returns) world.bank.returnMoney(charge, back)
}

describe("a forgotten refund of a charge that was paid twice", () => {
  for (const [way, tell] of ways) {
    scenario(`identifies the settling payment, and answers a repeated request: ${way}`, (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", "refunded")
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, chargeRefundId(later, 1))
        atBank(world, charge, [earlier, later], [back])
        yield* tell(charge, [earlier, later], [back])
        const charges = yield* PixCharges
        expect(yield* charges.refund(aCnpj, charge.id)).toMatchObject({
          _tag: "Refunded",
          payment: { endToEndId: later.endToEndId },
          returns: [back],
        })
        expect(yield* findException(earlier.endToEndId)).toMatchObject({ state: { _tag: "Open" }, returns: [] })
        expect(yield* findException(later.endToEndId)).toBeUndefined()
        expect(refundCalls(world)).toEqual([])
        expect(yield* deliveries).toEqual(["loja refunded waiting"])
      }),
    )

    scenario(`is recognised by a partial refund, too: ${way}`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, partialRefundId(later, "a", 1), cents(500))
        atBank(world, charge, [earlier, later], [back])
        yield* tell(charge, [earlier, later], [back])
        const charges = yield* PixCharges
        const { partialRefund, ...after } = yield* charges.refundPart(aCnpj, charge.id, {
          key: "a",
          amountCents: cents(500),
        })
        expect(after.charge).toMatchObject({ _tag: "Paid", payment: { endToEndId: later.endToEndId }, returns: [back] })
        expect(partialRefund.amountCents).toBe(500)
        expect(yield* findException(earlier.endToEndId)).toMatchObject({ state: { _tag: "Open" } })
        expect(refundCalls(world)).toEqual([])
      }),
    )
  }

  scenario("publishes no payment of the charge, if one page of a list shows both payments and the return", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const { charge, earlier, later } = yield* paidTwice()
      atBank(world, charge, [earlier, later], [returned(later, chargeRefundId(later, 1))])
      yield* (yield* anIdleReconciler).reconcile(aCnpj, { from: 0, until: later.paidAt + 1_000 })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  /** The request, key and cents of each refund. */
  const refunds: ReadonlyArray<
    readonly [string, (charge: PendingCharge) => Effect.Effect<unknown, unknown, PixCharges>, string, number]
  > = [
    ["full refund", ({ id }) => Effect.flatMap(PixCharges, (charges) => charges.refund(aCnpj, id)), "all of it", 1990],
    [
      "partial refund",
      ({ id }) =>
        Effect.flatMap(PixCharges, (charges) => charges.refundPart(aCnpj, id, { key: "a", amountCents: cents(500) })),
      "a",
      500,
    ],
  ]
  for (const [what, request, key, amountCents] of refunds) {
    /** The later payment settled the charge, `back` returned it, and no refund was requested. */
    const expectReturned = Effect.fnUntraced(function* (world: World, charge: PendingCharge, back: Return) {
      expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({
        _tag: key === "a" ? "Paid" : "Refunded",
        payment: { endToEndId: back.endToEndId },
        returns: [back],
      })
      expect(refundCalls(world)).toEqual([])
    })

    scenario(`is looked up at the bank before another refund is requested: ${what}, before the comparison`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, partialRefundId(later, key, 1), cents(amountCents))
        atBank(world, charge, [earlier, later], [back])
        yield* tellLists([earlier], [])
        yield* request(charge)
        yield* expectReturned(world, charge, back)
        expect(yield* findException(earlier.endToEndId)).toMatchObject({ state: { _tag: "Open" } })
      }),
    )

    scenario(`isn't requested again while the bank doesn't show the charge: ${what}`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, partialRefundId(later, key, 1), cents(amountCents))
        atBank(world, charge, [earlier, later], [back])
        yield* tellLists([earlier], [])
        world.bank.fail("lookup", "unreachable")
        yield* request(charge)
        expect(refundCalls(world)).toEqual([])
        yield* request(charge)
        yield* expectReturned(world, charge, back)
      }),
    )

    scenario(`is looked up by its id if the bank shows the payment without its return: ${what}`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, partialRefundId(later, key, 2), cents(amountCents))
        atBank(world, charge, [earlier, later], [])
        const outcomes = new Map<string, RefundOutcome>([
          [partialRefundId(later, key, 1), { _tag: "Rejected", reason: "no balance" }],
          [back.id, { _tag: "Returned", returnedAt: back.returnedAt, amountCents: back.amountCents }],
        ])
        const lookupRefund = ({ refundId }: RefundOrder) => Effect.succeed(outcomes.get(refundId))
        Object.assign(yield* PaymentProcessor, { lookupRefund })
        yield* tellLists([earlier], [])
        yield* request(charge)
        yield* expectReturned(world, charge, back)
      }),
    )

    scenario(
      `isn't requested for the other payment if the refunded payment was resolved as an exception: ${what}`,
      (world) =>
        Effect.gen(function* () {
          const { charge, earlier, later } = yield* paidTwice()
          const back = returned(later, partialRefundId(later, key, 1), cents(amountCents))
          atBank(world, charge, [earlier, later], [back])
          yield* tellLists([earlier, later], [])
          yield* (yield* paymentExceptions).resolve(aCnpj, later.endToEndId, "known")
          for (let time = 1; time <= 2; time++) {
            expect(yield* Effect.flip(request(charge))).toMatchObject({ _tag: "RefundRejected" })
          }
          expect(refundCalls(world)).toEqual([])
        }),
    )

    scenario(`is looked up by its id if only the books have its payment: ${what}`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(later, partialRefundId(later, key, 1), cents(amountCents))
        atBank(world, charge, [earlier], [])
        const outcome: RefundOutcome = { _tag: "Returned", returnedAt: back.returnedAt, amountCents: back.amountCents }
        const lookupRefund = ({ refundId }: RefundOrder) => Effect.succeed(refundId === back.id ? outcome : undefined)
        Object.assign(yield* PaymentProcessor, { lookupRefund })
        yield* tellLists([earlier, later], [])
        yield* request(charge)
        yield* expectReturned(world, charge, back)
      }),
    )

    scenario(
      `isn't requested for the other payment while the bank carries out the forgotten refund: ${what}`,
      (world) =>
        Effect.gen(function* () {
          const { charge, earlier, later } = yield* paidTwice()
          atBank(world, charge, [earlier, later], [])
          const isForgotten = ({ refundId }: RefundOrder) => refundId === partialRefundId(later, key, 1)
          Object.assign(yield* PaymentProcessor, {
            lookupRefund: (order: RefundOrder) =>
              Effect.succeed(isForgotten(order) ? { _tag: "Processing" } : undefined),
          })
          yield* tellLists([earlier], [])
          yield* request(charge)
          yield* request(charge)
          expect(refundCalls(world)).toEqual([])
        }),
    )
  }

  scenario("decides which payment settled, even if a process died after recording the return", (world) =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      const back = returned(later, chargeRefundId(later, 1))
      yield* tellLists([earlier, later], [])
      const exception = yield* findException(later.endToEndId)
      yield* (yield* ExceptionStore).commit({
        movedAt: 0,
        issuer: aCnpj,
        endToEndId: later.endToEndId,
        expectedVersion: exception?.version ?? 0,
        next: { _tag: "Refunded", refundId: back.id, refundedAt: back.returnedAt },
        returns: [back],
      })
      yield* tellLists([earlier, later], [back])
      expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({
        _tag: "Refunded",
        payment: { endToEndId: later.endToEndId },
      })
      expect(yield* findException(earlier.endToEndId)).toMatchObject({ state: { _tag: "Open" } })
      expect(refundCalls(world)).toEqual([])
    }),
  )
})

describe("a forgotten refund of a charge's further payment", () => {
  const orders = [
    ["earlier", "later"],
    ["later", "earlier"],
  ] as const
  const expectSettledBy = Effect.fnUntraced(function* (
    charge: PendingCharge,
    settling: PaymentNotice,
    further: PaymentNotice,
  ) {
    expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({
      _tag: "Paid",
      payment: { endToEndId: settling.endToEndId },
      returns: [],
    })
    expect(yield* findException(settling.endToEndId)).toBeUndefined()
    expect(yield* findException(further.endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
    expect(yield* deliveries).toEqual(["loja paid waiting"])
  })

  for (const [settled, returnedOne] of orders) {
    for (const [way, tell] of ways) {
      scenario(`leaves the charge to the ${settled} payment, which settled it: ${way}`, (world) =>
        Effect.gen(function* () {
          addEndpoint(world, "loja", "paid", "refunded")
          const { charge, ...payments } = yield* paidTwice()
          const [settling, further] = [payments[settled], payments[returnedOne]]
          const back = returned(further, `${further.endToEndId}X0`)
          yield* tell(charge, [payments.earlier, payments.later], [back])
          yield* expectSettledBy(charge, settling, further)
        }),
      )
    }

    scenario(
      `leaves the charge to the ${settled} payment, even if the bank first shows only the other payment`,
      (world) =>
        Effect.gen(function* () {
          addEndpoint(world, "loja", "paid", "refunded")
          const { charge, ...payments } = yield* paidTwice()
          const [settling, further] = [payments[settled], payments[returnedOne]]
          const back = returned(further, `${further.endToEndId}X0`)
          yield* tellView(charge, [further], [back])
          yield* tellLists([further], [back])
          expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({ _tag: "Pending" })
          expect(yield* findException(further.endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
          expect(yield* deliveries).toEqual([])
          yield* tellLists([settling], [])
          yield* expectSettledBy(charge, settling, further)
        }),
    )
  }

  scenario("is recorded once for a caller that has read the charge; a repeat costs only reads", (world) =>
    Effect.gen(function* () {
      const { charge, earlier } = yield* paidTwice()
      const { recordReceivedPayment } = yield* Bookkeeping
      const shown = { ...earlier, returns: [returned(earlier, `${earlier.endToEndId}X0`)] }
      expect(yield* recordReceivedPayment(shown, charge)).toMatchObject({ payments: 1, returns: 1 })
      expect(yield* findException(earlier.endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
      world.log.length = 0
      expect(yield* recordReceivedPayment(shown, charge)).toMatchObject({ payments: 0, returns: 0 })
      expect(world.log).not.toContain("commit")
    }),
  )

  for (const [way, tell] of ways.slice(0, -1)) {
    scenario(`is recognised if the bank writes the ids in lower case: ${way}`, () =>
      Effect.gen(function* () {
        const { charge, earlier } = yield* paidTwice()
        const back = returned(earlier, `${earlier.endToEndId}X0`)
        yield* tellLists([earlier], [back])
        const endToEndId = earlier.endToEndId.toLowerCase()
        yield* tell(charge, [{ ...earlier, endToEndId }], [{ ...back, endToEndId, id: back.id.toLowerCase() }])
        const [payment, ...others] = yield* (yield* ChargeLists).paymentsAt(aCnpj, {
          from: earlier.paidAt,
          until: earlier.paidAt + 1,
        })
        expect([payment?.endToEndId, others]).toEqual([earlier.endToEndId, []])
        expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({ _tag: "Pending" })
      }),
    )
  }

  scenario("is recognised from the books if a look-up shows only the payments", () =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      yield* tellLists([earlier], [returned(earlier, `${earlier.endToEndId}X0`)])
      const after = yield* tellView(charge, [earlier, later], [])
      expect(after).toMatchObject({ _tag: "Paid", payment: { endToEndId: later.endToEndId }, returns: [] })
      expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toEqual(after)
    }),
  )

  scenario("is recognised for both payments if a look-up shows only the payments", () =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      const back = [earlier, later].map((payment) => returned(payment, `${payment.endToEndId}X0`))
      yield* tellLists([earlier, later], back)
      expect(yield* tellView(charge, [earlier, later], [])).toMatchObject({ _tag: "Pending" })
    }),
  )

  for (const [when, fail] of [
    ["before the first call", false],
    ["after the first call", true],
  ] as const) {
    scenario(`lets the charge's refund continue for the settling payment: shown ${when}`, (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", "paid", "refunded", "refund-failed")
        const { charge, earlier, later } = yield* paidTwice()
        const back = returned(earlier, `${earlier.endToEndId}X0`)
        atBank(world, charge, [earlier, later], [back])
        yield* tellLists([earlier], [])
        const charges = yield* PixCharges
        if (fail) world.bank.fail("lookup", "unreachable")
        expect(yield* charges.refund(aCnpj, charge.id)).toMatchObject({ _tag: "Refunding" })
        yield* tellLists([earlier, later], [back])
        expect(yield* charges.find(aCnpj, charge.id)).toMatchObject({
          _tag: "Refunding",
          payment: { endToEndId: later.endToEndId },
          refund: { id: chargeRefundId(later, 1) },
        })
        expect(yield* charges.refund(aCnpj, charge.id)).toMatchObject({
          _tag: "Refunded",
          payment: { endToEndId: later.endToEndId },
        })
        expect(refundCalls(world)).toEqual(["refund"])
        expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
      }),
    )
  }

  scenario("keeps the settling payment from being returned as an exception", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const { charge, earlier, later } = yield* paidTwice()
      const back = returned(earlier, `${earlier.endToEndId}X0`)
      atBank(world, charge, [earlier, later], [back])
      yield* tellLists([earlier, later], [])
      const refund = (yield* paymentExceptions).refund(aCnpj, later.endToEndId)
      expect(yield* Effect.flip(refund)).toMatchObject({ _tag: "ExceptionRefundRejected" })
      expect(refundCalls(world)).toEqual([])
      yield* tellLists([earlier, later], [back])
      yield* expectSettledBy(charge, later, earlier)
    }),
  )
})

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
import { addEndpoint, anIssuedCharge, deliveries, paymentExceptions, scenario, type World } from "../World.ts"

/** A charge paid twice: the later payment settled it, because the bank listed the earlier one late. */
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

/** The ways in which restored books learn of the money, and its order there. */
const ways: ReadonlyArray<readonly [string, Tell]> = [
  ["a look-up", (charge, payments, returns) => tellView(charge, payments, returns)],
  ["a look-up in the other order", (charge, payments, returns) => tellView(charge, payments.toReversed(), returns)],
  ["lists, one after the other", (_, payments, returns) => tellLists(payments, returns)],
  ["lists in the other order", (_, payments, returns) => tellLists(payments.toReversed(), returns)],
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

describe("the refund of a charge paid twice, which restored books have forgotten", () => {
  for (const [way, tell] of ways) {
    scenario(`marks the payment that settled, and answers the same request: ${way}`, (world) =>
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

    scenario(`is known by a part, too: ${way}`, (world) =>
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

  /** How each refund is requested, its key and its cents. */
  const refunds: ReadonlyArray<
    readonly [string, (charge: PendingCharge) => Effect.Effect<unknown, unknown, PixCharges>, string, number]
  > = [
    ["the whole", ({ id }) => Effect.flatMap(PixCharges, (charges) => charges.refund(aCnpj, id)), "all of it", 1990],
    [
      "a part",
      ({ id }) =>
        Effect.flatMap(PixCharges, (charges) => charges.refundPart(aCnpj, id, { key: "a", amountCents: cents(500) })),
      "a",
      500,
    ],
  ]
  for (const [what, request, key, amountCents] of refunds) {
    /** The later payment has settled the charge, this went back of it, and no refund was ordered. */
    const expectReturned = Effect.fnUntraced(function* (world: World, charge: PendingCharge, back: Return) {
      expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toMatchObject({
        _tag: key === "a" ? "Paid" : "Refunded",
        payment: { endToEndId: back.endToEndId },
        returns: [back],
      })
      expect(refundCalls(world)).toEqual([])
    })

    scenario(`is asked of the bank before another one is ordered: ${what}, before the comparison is done`, (world) =>
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

    scenario(
      `is not ordered again while the bank shows nothing of the charge, nor by the check after that: ${what}`,
      (world) =>
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

    scenario(`is asked for by its id where the bank shows the payment and not what went back of it: ${what}`, (world) =>
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

    scenario(`isn't ordered for the other payment where its own was resolved as an exception: ${what}`, (world) =>
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

    scenario(`is asked for by its id where the books alone have its payment: ${what}`, (world) =>
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

    scenario(`isn't ordered for the other payment while the bank carries it out: ${what}`, (world) =>
      Effect.gen(function* () {
        const { charge, earlier, later } = yield* paidTwice()
        atBank(world, charge, [earlier, later], [])
        const isIt = ({ refundId }: RefundOrder) => refundId === partialRefundId(later, key, 1)
        Object.assign(yield* PaymentProcessor, {
          lookupRefund: (order: RefundOrder) => Effect.succeed(isIt(order) ? { _tag: "Processing" } : undefined),
        })
        yield* tellLists([earlier], [])
        yield* request(charge)
        yield* request(charge)
        expect(refundCalls(world)).toEqual([])
      }),
    )
  }

  scenario("decides also when a process died after it recorded the return, and before it moved the charge", (world) =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      const back = returned(later, chargeRefundId(later, 1))
      yield* tellLists([earlier, later], [])
      const exception = yield* findException(later.endToEndId)
      yield* (yield* ExceptionStore).commit({
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

describe("the refund of a charge's further payment, which restored books have forgotten", () => {
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
      scenario(`leaves the charge to the payment that settled it, the ${settled} one: ${way}`, (world) =>
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

    scenario(`leaves it to the ${settled} payment where the bank shows the other one alone at first`, (world) =>
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

  scenario("is counted and recorded once where somebody has read the charge, and then costs reads alone", (world) =>
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
    scenario(`is that payment's where its charge waits and the bank writes the ids in another case: ${way}`, () =>
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

  scenario("is known by the books where a look-up shows the payments alone", () =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      yield* tellLists([earlier], [returned(earlier, `${earlier.endToEndId}X0`)])
      const after = yield* tellView(charge, [earlier, later], [])
      expect(after).toMatchObject({ _tag: "Paid", payment: { endToEndId: later.endToEndId }, returns: [] })
      expect(yield* (yield* PixCharges).find(aCnpj, charge.id)).toEqual(after)
    }),
  )

  scenario("is known by the books for both payments where a look-up shows these alone", () =>
    Effect.gen(function* () {
      const { charge, earlier, later } = yield* paidTwice()
      const back = [earlier, later].map((payment) => returned(payment, `${payment.endToEndId}X0`))
      yield* tellLists([earlier, later], back)
      expect(yield* tellView(charge, [earlier, later], [])).toMatchObject({ _tag: "Pending" })
    }),
  )

  for (const [when, fail] of [
    ["before the first call", false],
    ["after it", true],
  ] as const) {
    scenario(`lets the refund of the charge go on for the payment that settled it: shown ${when}`, (world) =>
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

  scenario("keeps the payment that settled from being returned as an exception, too", (world) =>
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

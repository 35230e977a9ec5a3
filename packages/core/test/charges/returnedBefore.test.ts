import { Bookkeeping, ExceptionStore, PixCharges } from "@pixcharge/core"
import { type PaymentNotice, type PendingCharge, type Return } from "@pixcharge/core/charges"
import { aCnpj, aNotice, aPendingCharge, cents } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { addEndpoint, aRequest, anIssuedCharge, deliveries, exceptions, issue, scenario, type World } from "../World.ts"

/** Returns of these amounts, each under its own id. */
const returnsOf = ({ issuer, endToEndId, paidAt }: PaymentNotice, ...amounts: ReadonlyArray<number>) =>
  amounts.map((amount, index): Return => ({
    issuer,
    endToEndId,
    id: `D${index}`,
    kind: "dispute",
    amountCents: cents(amount),
    returnedAt: paidAt + 60_000 * (index + 1),
  }))

const find = ({ issuer, id }: Pick<PendingCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const findException = (endToEndId: string) => Effect.flatMap(ExceptionStore, (store) => store.find(aCnpj, endToEndId))

/** How a payment and its returns can reach the books. */
const ways: ReadonlyArray<
  readonly [
    string,
    (
      charge: PendingCharge,
      notice: PaymentNotice,
      returns: ReadonlyArray<Return>,
    ) => Effect.Effect<unknown, unknown, Bookkeeping>,
  ]
> = [
  [
    "a look-up",
    (charge, notice, returns) =>
      Effect.flatMap(Bookkeeping, (books) =>
        books.applyView(charge, { status: "completed", payments: [notice], returns }),
      ),
  ],
  [
    "a list or a notice that is confirmed",
    (_, notice, returns) => Effect.flatMap(Bookkeeping, (books) => books.recordReceivedPayment({ ...notice, returns })),
  ],
]

const listening = (world: World) => addEndpoint(world, "loja", "paid", "refunded")

for (const [way, tell] of ways) {
  describe(`a payment that went back before ${way} reports it`, () => {
    for (const amounts of [[1990], [995, 995], [1, 989, 1000]]) {
      scenario(`makes its charge refunded in one commit, without a paid event: ${amounts.join(" + ")}`, (world) =>
        Effect.gen(function* () {
          listening(world)
          const issued = yield* anIssuedCharge()
          const notice = aNotice(issued)
          const returns = returnsOf(notice, ...amounts)
          world.log.length = 0
          yield* tell(issued, notice, returns)
          expect(world.log.filter((call) => call === "commit")).toHaveLength(1)
          const after = yield* find(issued)
          expect(after).toMatchObject({ _tag: "Refunded", version: issued.version + 1, returns })
          expect(after).toMatchObject({ refundedAt: returns.at(-1)?.returnedAt })
          expect(yield* deliveries).toEqual(["loja refunded waiting"])
          yield* tell(issued, notice, returns)
          expect(yield* find(issued)).toEqual(after)
        }),
      )
    }

    scenario("makes its charge paid in one commit if only a part went back, and records that return", (world) =>
      Effect.gen(function* () {
        listening(world)
        const issued = yield* anIssuedCharge()
        const notice = aNotice(issued)
        const returns = returnsOf(notice, 500, 1489)
        world.log.length = 0
        yield* tell(issued, notice, returns)
        expect(world.log.filter((call) => call === "commit")).toHaveLength(1)
        expect(yield* find(issued)).toMatchObject({ _tag: "Paid", version: issued.version + 1, returns })
        expect(yield* deliveries).toEqual(["loja paid waiting"])
      }),
    )

    scenario("makes a paid charge refunded in one commit if all its returns are reported later", (world) =>
      Effect.gen(function* () {
        listening(world)
        const issued = yield* anIssuedCharge()
        const notice = aNotice(issued)
        yield* tell(issued, notice, [])
        world.log.length = 0
        yield* tell(issued, notice, returnsOf(notice, 990, 1000))
        expect(world.log.filter((call) => call === "commit")).toHaveLength(1)
        expect(yield* find(issued)).toMatchObject({ _tag: "Refunded", returns: returnsOf(notice, 990, 1000) })
        expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
      }),
    )

    scenario("is published as refunded once if the rest goes back later", (world) =>
      Effect.gen(function* () {
        listening(world)
        const issued = yield* anIssuedCharge()
        const notice = aNotice(issued)
        const [first, second] = returnsOf(notice, 500, 1490) as [Return, Return]
        yield* tell(issued, notice, [first])
        yield* tell(issued, notice, [first, second])
        expect(yield* find(issued)).toMatchObject({ _tag: "Refunded", returns: [first, second] })
        expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
      }),
    )
  })
}

describe("a view of several payments", () => {
  scenario("is recorded in two commits, the settling payment first, each payment with its returns", (world) =>
    Effect.gen(function* () {
      listening(world)
      const issued = yield* anIssuedCharge()
      const [settling, back, kept] = [1, 2, 3].map((at) => aNotice(issued, { paidAt: issued.createdAt + at })) as [
        PaymentNotice,
        PaymentNotice,
        PaymentNotice,
      ]
      const returns = [...returnsOf(back, 990, 1000), ...returnsOf(settling, 1990), ...returnsOf(kept, 3)]
      world.log.length = 0
      const books = yield* Bookkeeping
      yield* books.applyView(issued, { status: "completed", payments: [settling, back, kept], returns })
      expect(world.log.filter((call) => call === "commit")).toHaveLength(2)
      expect(yield* find(issued)).toMatchObject({ _tag: "Refunded", payment: { endToEndId: settling.endToEndId } })
      expect((yield* exceptions).map(({ payment }) => payment.endToEndId)).toEqual([kept.endToEndId])
      expect(yield* findException(back.endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  scenario("leaves another charge's payment to the other charge, and settles its charge by the next payment", (world) =>
    Effect.gen(function* () {
      listening(world)
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const [one, other] = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      const taken = aNotice(one)
      yield* charges.confirmPayment(taken)
      const own = aNotice(other)
      const returns = [...returnsOf(taken, 1990), ...returnsOf(own, 7)]
      const payments = [{ ...taken, txid: other.txid }, own]
      yield* books.applyView(other, { status: "completed", payments, returns })
      expect(yield* find(other)).toMatchObject({ _tag: "Paid", payment: { endToEndId: own.endToEndId } })
      expect(yield* find(one)).toMatchObject({ _tag: "Refunded", returns: returnsOf(taken, 1990) })
    }),
  )
})

describe("returns recorded before the payment settles its charge", () => {
  scenario("count when the charge is settled, even if only the payment is reported", (world) =>
    Effect.gen(function* () {
      listening(world)
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      yield* books.applyView(issued, { status: "completed", payments: [], returns: returnsOf(notice, 995, 995) })
      expect(yield* charges.confirmPayment(notice)).toMatchObject({
        _tag: "Refunded",
        returns: returnsOf(notice, 995, 995),
      })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  for (const reported of ["with its returns", "alone"]) {
    scenario(`make a charge refunded if it is issued again after a restore: payment reported ${reported}`, (world) =>
      Effect.gen(function* () {
        listening(world)
        const charges = yield* PixCharges
        const books = yield* Bookkeeping
        const request = aRequest()
        // The backup lacks the charge; the bank lists its payment and return.
        const notice = aNotice(aPendingCharge({ issuer: aCnpj, id: request.id }))
        const returns = returnsOf(notice, 1990)
        yield* books.recordReceivedPayment({ ...notice, returns })
        expect(yield* findException(notice.endToEndId)).toMatchObject({ state: { _tag: "Refunded" } })
        const issued = (yield* issue(request)) as PendingCharge
        yield* reported === "alone"
          ? charges.confirmPayment(notice)
          : books.applyView(issued, { status: "completed", payments: [notice], returns })
        expect(yield* find(issued)).toMatchObject({
          _tag: "Refunded",
          payment: { endToEndId: notice.endToEndId, chargeId: issued.id },
          returns,
        })
        expect(yield* findException(notice.endToEndId)).toBeUndefined()
        expect(yield* deliveries).toEqual(["loja refunded waiting"])
      }),
    )
  }

  scenario("count once if the processor changes the case of letters in their ids", () =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const request = aRequest()
      const notice = aNotice(aPendingCharge({ issuer: aCnpj, id: request.id }))
      const [half] = returnsOf(notice, 995) as [Return]
      yield* books.recordReceivedPayment({ ...notice, returns: [{ ...half, id: "PortalAb1" }] })
      const issued = (yield* issue(request)) as PendingCharge
      const view = { status: "completed", payments: [notice], returns: [{ ...half, id: "PORTALAB1" }] } as const
      yield* books.applyView(issued, view)
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid", returns: [{ id: "PortalAb1", amountCents: 995 }] })
    }),
  )
})

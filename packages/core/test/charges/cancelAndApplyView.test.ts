import { chargeTxid } from "@pixcharge/core/plain"
import { Bookkeeping, ChargeStore, PaymentProcessor, PixCharges } from "@pixcharge/core"
import type { Charge, PaidCharge, PendingCharge, Return } from "@pixcharge/core/charges"
import { aCnpj, aNotice, aPendingCharge, anotherCnpj, aReturn, cents } from "@pixcharge/adapter-tests/fixtures"
import { bookPayment } from "../../src/model/charge/decideView.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  addEndpoint,
  aPaidOne,
  anIssuedCharge,
  deliveries,
  exceptions,
  failureTag,
  otherCompany,
  paymentExceptions,
  scenario,
  type World,
} from "../World.ts"

const cancel = ({ issuer, id }: Pick<PaidCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.cancel(issuer, id))

const find = ({ issuer, id }: Pick<PaidCharge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const checkedInAMinute = ({ lookUpAt: _, ...charge }: PendingCharge, tries: number) => ({
  ...charge,
  version: charge.version + tries,
  checkAt: charge.createdAt + 60_000,
})

/** Runs an effect once, before the processor's next answer to this call. */
const runAfterNext = Effect.fnUntraced(function* (
  call: "lookup" | "cancel" | "change",
  then: Effect.Effect<unknown, unknown, PixCharges>,
) {
  const processor = yield* PaymentProcessor
  const charges = yield* PixCharges
  const original: (order: never) => Effect.Effect<unknown, unknown> = processor[call]
  const runOnce = Effect.suspend(() => {
    Object.assign(processor, { [call]: original })
    return Effect.provideService(Effect.orDie(then), PixCharges, charges)
  })
  Object.assign(processor, { [call]: (order: never) => Effect.ensuring(original(order), runOnce) })
})

const removeUnanswered = (world: World, issued: PendingCharge) =>
  Effect.gen(function* () {
    world.bank.fail("cancel", "answerLost")
    expect(yield* failureTag(cancel(issued))).toBe("ProcessorUnavailable")
    expect(world.bank.view(issued).status).toBe("removed")
  })

describe("a cancellation", () => {
  scenario("removes the charge at the processor first, then in the books", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const gone = yield* cancel(issued)
      expect(gone).toMatchObject({ _tag: "Cancelled", version: 3 })
      expect(gone).not.toHaveProperty("checkAt")
      expect(world.bank.view(issued).status).toBe("removed")
      expect(yield* find(issued)).toEqual(gone)
    }),
  )

  scenario("gives the same answer if it is repeated, and doesn't call the processor again", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const gone = yield* cancel(issued)
      expect(yield* cancel(issued)).toEqual(gone)
      expect(world.bank.calls.filter((call) => call === "cancel")).toHaveLength(1)
    }),
  )

  scenario("leaves the charge pending while the processor is silent or refuses, and succeeds later", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      world.bank.fail("cancel", "unreachable", "rejected", "answerLost")
      const tags = [
        yield* failureTag(cancel(issued)),
        yield* failureTag(cancel(issued)),
        yield* failureTag(cancel(issued)),
      ]
      expect(tags).toEqual(["ProcessorUnavailable", "ProcessorRejected", "ProcessorUnavailable"])
      expect(yield* find(issued)).toEqual(checkedInAMinute(issued, 3))
      expect((yield* cancel(issued))._tag).toBe("Cancelled")
    }),
  )

  for (const call of ["lookup", "cancel"] as const) {
    scenario(`is checked in a minute if another process moves the charge meanwhile (${call})`, (world) =>
      Effect.gen(function* () {
        const issued = yield* anIssuedCharge()
        const { commit } = yield* ChargeStore
        const next: PendingCharge = { ...issued, version: 2, expiryEventAt: issued.payableUntil }
        const moves = { ...issued, expectedVersion: 1, payments: [], returns: [], deliveries: [], next }
        yield* runAfterNext(call, commit(moves))
        yield* removeUnanswered(world, issued)
        expect(yield* find(issued)).toMatchObject({ _tag: "Pending", checkAt: issued.createdAt + 60_000 })
      }),
    )
  }

  scenario("is checked in a minute if a change ends meanwhile", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ payableForSeconds: 86_400 })
      yield* TestClock.adjust("10 hours")
      yield* runAfterNext("change", removeUnanswered(world, issued))
      const charges = yield* PixCharges
      yield* charges.change(aCnpj, issued.id, { key: "a", amountCents: 1500 })
      expect(yield* find(issued)).toMatchObject({ _tag: "Pending", checkAt: issued.createdAt + 36_060_000 })
    }),
  )

  scenario("is refused if a payment came first, which settles the charge", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      // Paid at the processor; the notice is still on its way.
      world.bank.receive(issued, notice)
      expect(yield* failureTag(cancel(issued))).toBe("ChargeAlreadyPaid")
      expect(yield* find(issued)).toMatchObject({ _tag: "Paid", payment: { endToEndId: notice.endToEndId } })
      expect(yield* deliveries).toEqual(["loja paid waiting"])
    }),
  )

  scenario("is refused if the processor calls the charge paid, even without a payment", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      world.bank.receive(issued, aNotice(issued))
      const view = world.bank.view(issued)
      Object.assign(view, { payments: [] })
      const { issuer, id } = issued
      expect(yield* Effect.flip(cancel(issued))).toMatchObject({ _tag: "ChargeAlreadyPaid", issuer, id })
      expect(yield* find(issued)).toEqual(checkedInAMinute(issued, 1))
    }),
  )

  scenario("succeeds if the charge's only payment was resolved as an exception", (world) =>
    Effect.gen(function* () {
      const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
      const notice = { ...aNotice(aPendingCharge()), issuer: aCnpj, txid: chargeTxid(aCnpj, id) }
      const charges = yield* PixCharges
      yield* Effect.flip(charges.confirmPayment(notice))
      yield* (yield* paymentExceptions).resolve(aCnpj, notice.endToEndId, "kept")
      const issued = yield* anIssuedCharge({ id })
      world.bank.receive(issued, notice)
      Object.assign(world.bank.view(issued), { status: "active" })
      const processor = yield* PaymentProcessor
      const { cancel: remove } = processor
      // Another cancellation ends before this one has its answer.
      const meanwhile = () => {
        Object.assign(processor, { cancel: remove })
        return Effect.orDie(cancel(issued))
      }
      Object.assign(processor, { cancel: (charge: Charge) => Effect.tap(remove(charge), meanwhile) })
      expect(yield* cancel(issued)).toMatchObject({ _tag: "Cancelled", version: 4 })
    }),
  )

  scenario("is refused while the bank shows the charge as payable under another company's PIX key", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const view = world.bank.view(issued)
      Object.assign(view, { pixKey: otherCompany.pixKey })
      expect(yield* failureTag(cancel(issued))).toBe("ProcessorRejected")
      Object.assign(view, { status: "removed" })
      expect(yield* cancel(issued)).toMatchObject({ _tag: "Cancelled" })
      expect(world.bank.calls).not.toContain("cancel")
    }),
  )

  scenario("is refused if the bank shows the charge as paid, then removed, under another company's PIX key", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      world.bank.receive(issued, aNotice(issued))
      Object.assign(world.bank.view(issued), { pixKey: otherCompany.pixKey, status: "removed" })
      expect(yield* failureTag(cancel(issued))).toBe("ChargeAlreadyPaid")
      expect((yield* find(issued))._tag).toBe("Paid")
      expect(world.bank.calls).not.toContain("cancel")
    }),
  )

  scenario("ends with a paid charge or an exception if a payment comes at the same time", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      for (let round = 0; round < 20; round++) {
        const issued = yield* anIssuedCharge()
        const racers = [failureTag(cancel(issued)), failureTag(charges.confirmPayment(aNotice(issued)))]
        yield* Effect.all(round % 2 === 0 ? racers : racers.toReversed(), { concurrency: "unbounded" })
        const after = yield* find(issued)
        const open = (yield* exceptions).filter(({ payment }) => payment.chargeId === issued.id)
        expect([after._tag, open.length]).toEqual(after._tag === "Paid" ? ["Paid", 0] : ["Cancelled", 1])
      }
    }),
  )

  scenario("is refused for a paid charge and for another company's charge", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      expect(yield* failureTag(cancel(paid))).toBe("ChargeAlreadyPaid")
      const issued = yield* anIssuedCharge()
      expect(yield* failureTag(cancel({ ...issued, issuer: anotherCnpj }))).toBe("ChargeNotFound")
      expect(world.bank.calls).not.toContain("cancel")
    }),
  )
})

describe("a processor's view of a charge", () => {
  scenario("records its new payments and returns", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const [first, second] = [aNotice(issued), aNotice(issued, { paidAt: issued.createdAt + 2_000 })]
      const paid = yield* books.applyView(issued, { status: "completed", payments: [second, first], returns: [] })
      expect(paid).toMatchObject({ _tag: "Paid", payment: { endToEndId: first.endToEndId } })
      expect((yield* exceptions).map(({ payment }) => payment.endToEndId)).toEqual([second.endToEndId])
      if (paid._tag !== "Paid") throw new Error("expected the payment to settle the charge")
      const view = {
        status: "completed" as const,
        payments: [first, second],
        returns: [aReturn(paid.payment), aReturn({ ...paid.payment, endToEndId: second.endToEndId })],
      }
      const back = yield* books.applyView(paid, view)
      expect(back).toMatchObject({ _tag: "Refunded", returns: [view.returns[0]] })
      expect(yield* exceptions).toEqual([])
      expect(yield* books.applyView(back, view)).toEqual(back)
      expect(yield* deliveries).toEqual(["loja paid superseded", "loja refunded waiting"])
    }),
  )

  scenario("changes nothing and doesn't read the store if it has no news", (world) =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      world.log.length = 0
      for (const status of ["active", "removed", "unknown"] as const) {
        expect(yield* books.applyView(issued, { status, payments: [], returns: [] })).toBe(issued)
      }
      expect(world.log).toEqual([])
    }),
  )

  scenario("is recorded after one read of the charge if it has a return", (world) =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      world.log.length = 0
      yield* books.applyView(paid, { status: "completed", payments: [], returns: [aReturn(paid.payment)] })
      expect(world.log).toEqual(["find", "commit"])
    }),
  )

  scenario("gives the same result if it is applied to a stale charge", () =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const view = { status: "completed" as const, payments: [aNotice(issued)], returns: [] }
      const paid = yield* books.applyView(issued, view)
      expect(yield* books.applyView(issued, view)).toEqual(paid)
    }),
  )
})

const halves = (paid: PaidCharge): ReadonlyArray<Return> =>
  [1, 2].map((at) =>
    aReturn(paid.payment, { amountCents: cents(995), returnedAt: paid.payment.paidAt + at, id: `D${at}` }),
  )

describe("a payment returned elsewhere", () => {
  scenario("makes the charge refunded after two halves, even if one view shows both", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "refunded")
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      const [first, second] = halves(paid)
      if (first === undefined || second === undefined) throw new Error("expected two halves")
      const views = [first, second, first, second].map((row) =>
        books.applyView(paid, { status: "completed", payments: [], returns: [row] }),
      )
      yield* Effect.all(views, { concurrency: "unbounded" })
      expect(yield* find(paid)).toMatchObject({
        _tag: "Refunded",
        refundedAt: second.returnedAt,
        returns: [first, second],
      })
      expect(yield* deliveries).toEqual(["loja refunded waiting"])
    }),
  )

  scenario("makes the charge refunded once it went back in full, even after our refund was refused", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const paid = yield* aPaidOne(world)
      world.bank.refunds("rejected")
      yield* failureTag(charges.refund(aCnpj, paid.id))
      for (const row of halves(paid)) {
        yield* books.applyView(yield* find(paid), { status: "completed", payments: [], returns: [row] })
      }
      expect((yield* find(paid))._tag).toBe("Refunded")
    }),
  )
})

describe("a processor's view with several payments", () => {
  scenario("settles the charge by the second payment if the first was resolved as an exception", () =>
    Effect.gen(function* () {
      const books = yield* Bookkeeping
      const issued = yield* anIssuedCharge()
      const first = aNotice(issued)
      const second = aNotice(issued, { paidAt: first.paidAt + 1_000 })
      // Another process records the payment and dies before it moves the charge.
      yield* (yield* ChargeStore).commit({
        issuer: issued.issuer,
        id: issued.id,
        expectedVersion: issued.version + 1,
        payments: [bookPayment(issued, first, { recordedAt: issued.createdAt, isAmountDue: true })],
        returns: [],
        deliveries: [],
      })
      yield* (yield* paymentExceptions).resolve(aCnpj, first.endToEndId, "kept")
      expect(yield* books.applyView(issued, { status: "completed", payments: [first], returns: [] })).toEqual(issued)
      expect(
        yield* books.applyView(issued, { status: "completed", payments: [first, second], returns: [] }),
      ).toMatchObject({ _tag: "Paid", payment: { endToEndId: second.endToEndId } })
    }),
  )

  scenario("is recorded even if one of its payments is already recorded for another charge", () =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const books = yield* Bookkeeping
      const one = yield* anIssuedCharge()
      const other = yield* anIssuedCharge()
      const taken = aNotice(one)
      yield* charges.confirmPayment(taken)
      const own = aNotice(other)
      const view = { status: "completed", payments: [{ ...taken, txid: other.txid }, own], returns: [] } as const
      const after = yield* books.applyView(other, view)
      expect(after).toMatchObject({ _tag: "Paid", payment: { endToEndId: own.endToEndId } })
      expect(yield* exceptions).toEqual([])
    }),
  )
})

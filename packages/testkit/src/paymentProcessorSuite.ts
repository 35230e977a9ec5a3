import type {
  PaymentProcessor,
  PaymentSearch,
  Period,
  ReceivedPayment,
  RefundOrder,
  RefundOutcome,
} from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Charge, PaymentNotice, PendingCharge } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import { type Company, parseTaxId } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { anOrder, aPayer, aRegisteredCharge, heldTerms, pendingChargeOf } from "./processorOrders.ts"

type Processor = PaymentProcessor["Service"]

/** A processor and the world around it; fresh for every test. */
export interface ProcessorUnderTest {
  readonly processor: Processor
  /** Two companies that receive through it. */
  readonly company: Company
  readonly otherCompany: Company
  /** A payer pays the charge in full; answers with what is true of the payment. */
  readonly pay: (charge: PendingCharge) => Effect.Effect<PaymentNotice, unknown>
  /** How many payments one page of `payments` holds here; the suite makes one more than two pages. */
  readonly paymentsPerPage: number
}

export type ProcessorSuiteCase<Kit extends ProcessorUnderTest = ProcessorUnderTest> = (
  title: string,
  body: (kit: Kit) => Effect.Effect<void, unknown>,
) => void

/** Makes a test of each case, with a processor of its own. */
export const processorSuiteCase =
  <Kit extends ProcessorUnderTest>(open: Effect.Effect<Kit, unknown, Scope.Scope>): ProcessorSuiteCase<Kit> =>
  (title, body) =>
    it(title, () => Effect.runPromise(Effect.scoped(Effect.flatMap(open, body))))

/** All payments that a search finds, page by page; the key, which not every processor names, must be the company's. */
const allPayments = Effect.fnUntraced(function* (processor: Processor, company: Company, search: PaymentSearch) {
  const items: Array<Omit<ReceivedPayment, "pixKey">> = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = yield* processor.payments(company.cnpj, search, cursor)
    for (const { pixKey = company.pixKey, ...payment } of page.items) {
      expect(pixKey).toBe(company.pixKey)
      items.push(payment)
    }
    cursor = page.cursor
    pages += 1
  } while (cursor !== undefined && pages < 1000)
  return { items, pages }
})

/** How a refund ended, asked after until it is known. */
export const endOfRefund = Effect.fnUntraced(function* (
  processor: Processor,
  order: RefundOrder,
  first: RefundOutcome,
) {
  let outcome: RefundOutcome | undefined = first
  for (let round = 0; round < 100 && outcome?._tag === "Processing"; round++) {
    yield* Effect.sleep(20)
    outcome = yield* processor.lookupRefund(order)
  }
  return outcome
})

/** The order to return a payment in full. */
export const refundOf = ({ issuer, endToEndId, amountCents }: PaymentNotice, refundId: string): RefundOrder => ({
  issuer,
  endToEndId,
  amountCents,
  refundId,
})

const registerCases = (test: ProcessorSuiteCase): void => {
  test("registering answers with a dynamic BR Code", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const registered = yield* processor.register(order)
        expect(registered.txid).toBe(order.txid)
        expect(registered.brCode.length).toBeLessThanOrEqual(512)
        expect(Result.getOrThrow(decodeBrCode(registered.brCode)).code._tag).toBe("Dynamic")
      }
    }))

  test("different charges have different codes", ({ processor, company, otherCompany }) =>
    Effect.gen(function* () {
      const first = yield* anOrder(company)
      const codes = [
        (yield* processor.register(first)).brCode,
        (yield* processor.register(yield* anOrder(company))).brCode,
        // The id is free in every other company (decision 6).
        (yield* processor.register({ ...first, company: otherCompany })).brCode,
      ]
      expect(new Set(codes).size).toBe(3)
    }))

  test("a company of any name and city can be registered for", ({ processor, company }) =>
    Effect.gen(function* () {
      const names = [
        ["Associação Beneficente São João Batista de Itaquaquecetuba ß", "São José do Vale do Rio Preto"],
        ["Æ", "Ö"],
        ["株式会社", "東京"],
      ] as const
      for (const [name, city] of names) {
        const { brCode } = yield* processor.register(yield* anOrder({ ...company, name, city }))
        expect(Result.isSuccess(decodeBrCode(brCode)), name).toBe(true)
      }
    }))

  test("registering again continues with the same charge and its first instant", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const first = yield* processor.register(order)
        expect(yield* processor.register({ ...order, requestedAt: order.requestedAt + 60_000 })).toEqual(first)
      }
    }))

  test("registering at once several times makes one charge", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const all = yield* Effect.all(
        Array(8).fill(processor.register(order)) as Array<ReturnType<Processor["register"]>>,
        {
          concurrency: "unbounded",
        },
      )
      expect(new Set(all.map((registered) => JSON.stringify(registered))).size).toBe(1)
    }))

  test("another amount, due date or payer under the same txid is a conflict", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      yield* processor.register(order)
      const { dueDate } = yield* anOrder(company, { dueInDays: 4 })
      const { dueDate: _, payer: __, ...immediate } = order
      const otherPayer = { name: "Outra Pessoa", taxId: Result.getOrThrow(parseTaxId("11.222.333/0001-81")) }
      const others = [
        { ...order, amountCents: 1991 as Cents },
        { ...order, ...(dueDate && { dueDate }) },
        { ...order, payer: otherPayer },
        immediate,
      ]
      for (const other of others) {
        const conflict = yield* Effect.flip(processor.register(other))
        expect(conflict).toMatchObject({ _tag: "ChargeConflict", issuer: company.cnpj, id: order.id })
      }
      const immediateOrder = yield* anOrder(company)
      yield* processor.register(immediateOrder)
      const dated = { ...immediateOrder, payer: aPayer, ...(dueDate && { dueDate }) }
      expect((yield* Effect.flip(processor.register(dated)))._tag).toBe("ChargeConflict")
    }))

  test("a charge that was paid meanwhile is taken over with its code", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const first = yield* processor.register(order)
      yield* pay(pendingChargeOf(order, first))
      expect(yield* processor.register(order)).toEqual(first)
    }))

  test("a removed charge is not handed out again", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      yield* processor.cancel(pendingChargeOf(order, yield* processor.register(order)))
      expect((yield* Effect.flip(processor.register(order)))._tag).toBe("ProcessorRejected")
    }))
}

const storedCases = (test: ProcessorSuiteCase): void => {
  test("a stored charge's terms are brought back, and the charge stays the same", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const first = yield* processor.register(order)
      const { dueDate } = yield* anOrder(company, { dueInDays: 4 })
      const otherPayer = { name: "Outra Pessoa", taxId: Result.getOrThrow(parseTaxId("11.222.333/0001-81")) }
      const { payer: _, ...immediate } = yield* anOrder(company)
      const stored = [
        { ...order, amountCents: 1991 as Cents },
        { ...order, ...(dueDate && { dueDate }) },
        { ...order, payer: otherPayer },
        order,
      ]
      for (const terms of stored) {
        expect(yield* processor.register({ ...terms, isStored: true })).toEqual(first)
        expect((yield* processor.lookup(pendingChargeOf(terms, first))).terms).toEqual(heldTerms(terms))
        expect(yield* processor.register(terms)).toEqual(first)
      }
      const conflict = yield* Effect.flip(processor.register({ ...order, amountCents: 1992 as Cents }))
      expect(conflict._tag).toBe("ChargeConflict")
      const firstImmediate = yield* processor.register(immediate)
      const dearer = { ...immediate, amountCents: 2000 as Cents }
      expect(yield* processor.register({ ...dearer, isStored: true })).toEqual(firstImmediate)
      expect((yield* processor.lookup(pendingChargeOf(dearer, firstImmediate))).terms).toEqual({ amountCents: 2000 })
    }))

  test("a stored charge that the processor has forgotten is registered", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const registered = yield* processor.register({ ...order, isStored: true })
      expect((yield* processor.lookup(pendingChargeOf(order, registered))).status).toBe("active")
    }))

  test("terms under which it was paid, or removed, can't be brought back", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const end of [pay, processor.cancel]) {
        const order = yield* anOrder(company)
        const charge = pendingChargeOf(order, yield* processor.register(order))
        yield* end(charge)
        const other = { ...order, amountCents: 7 as Cents, isStored: true as const }
        expect((yield* Effect.flip(processor.register(other)))._tag).toBe("ProcessorRejected")
        expect((yield* processor.lookup(charge)).terms).toEqual(heldTerms(order))
      }
    }))

  test("calls at once for a stored charge and for another meaning of it never leave the other", (kit) =>
    Effect.gen(function* () {
      const { processor, company } = kit
      for (let round = 0; round < 5; round++) {
        const order = yield* anOrder(company)
        const stored = { ...order, isStored: true as const }
        const other = { ...order, amountCents: 77 as Cents }
        const registrations = round % 2 === 0 ? [other, stored] : [stored, other]
        yield* Effect.all(
          registrations.map((one) => Effect.exit(processor.register(one))),
          { concurrency: "unbounded" },
        )
        const registered = yield* processor.register(order)
        expect((yield* processor.lookup(pendingChargeOf(order, registered))).terms).toEqual(heldTerms(order))
      }
    }))
}

const lookupCases = (test: ProcessorSuiteCase): void => {
  test("a charge is active, and completed with its payment", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const given of [{}, { dueInDays: 2 }]) {
        const charge = yield* aRegisteredCharge(processor, company, given)
        const terms = heldTerms(charge)
        expect(yield* processor.lookup(charge)).toEqual({ status: "active", terms, payments: [], returns: [] })
        const notice = yield* pay(charge)
        expect(yield* processor.lookup(charge)).toEqual({ status: "completed", terms, payments: [notice], returns: [] })
      }
    }))

  test("a payment names its company, its charge and its id in the instant-payment system", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      yield* pay(charge)
      const [payment] = (yield* processor.lookup(charge)).payments
      expect(payment).toMatchObject({ issuer: company.cnpj, txid: charge.txid, amountCents: charge.amountCents })
      expect(payment?.endToEndId).toMatch(/^E[a-zA-Z0-9]{31}$/)
    }))

  test("a charge that was never registered is unknown, also to another company", ({
    processor,
    company,
    otherCompany,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const strangers: Array<Charge> = [
        { ...charge, issuer: otherCompany.cnpj },
        pendingChargeOf(yield* anOrder(company), charge),
      ]
      for (const stranger of strangers) {
        expect(yield* processor.lookup(stranger)).toEqual({ status: "unknown", payments: [], returns: [] })
      }
    }))
}

const cancelCases = (test: ProcessorSuiteCase): void => {
  test("an active charge is cancelled, once and again", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const given of [{}, { dueInDays: 2 }]) {
        const charge = yield* aRegisteredCharge(processor, company, given)
        expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
        expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
        const terms = heldTerms(charge)
        expect(yield* processor.lookup(charge)).toEqual({ status: "removed", terms, payments: [], returns: [] })
      }
    }))

  test("a paid charge can't be cancelled: its payment is told instead", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const notice = yield* pay(charge)
      const view = { status: "completed", terms: heldTerms(charge), payments: [notice], returns: [] }
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Paid", view })
    }))
}

const refundCases = (test: ProcessorSuiteCase): void => {
  test("a payment goes back once, however often it is asked for under one id", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = refundOf(yield* pay(charge), `${charge.txid}R1`)
      const outcome = yield* endOfRefund(processor, order, yield* processor.refund(order))
      expect(outcome?._tag).toBe("Returned")
      expect(yield* processor.refund(order)).toEqual(outcome)
      expect(yield* processor.lookupRefund(order)).toEqual(outcome)
      const { endToEndId, amountCents, refundId } = order
      const returnedAt = outcome?._tag === "Returned" ? outcome.returnedAt : undefined
      expect((yield* processor.lookup(charge)).returns).toEqual([
        { issuer: company.cnpj, id: refundId, endToEndId, kind: "refund", amountCents, returnedAt },
      ])
    }))

  test("asked for at once several times, a payment goes back once", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = refundOf(yield* pay(charge), `${charge.txid}R1`)
      const first = yield* Effect.all([processor.refund(order), processor.refund(order), processor.refund(order)], {
        concurrency: "unbounded",
      })
      expect((yield* endOfRefund(processor, order, first[0]))?._tag).toBe("Returned")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("more than was paid, or a second time under another id, is rejected with a reason", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = refundOf(yield* pay(charge), `${charge.txid}R1`)
      const tooMuch = yield* processor.refund({ ...order, amountCents: (order.amountCents + 1) as Cents })
      expect(tooMuch).toEqual({ _tag: "Rejected", reason: expect.stringMatching(/./) })
      const second = { ...order, refundId: `${charge.txid}R2` }
      yield* endOfRefund(processor, second, yield* processor.refund(second))
      const third = { ...order, refundId: `${charge.txid}R3` }
      expect((yield* endOfRefund(processor, third, yield* processor.refund(third)))?._tag).toBe("Rejected")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("a refund that was never asked for is unknown", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = refundOf(yield* pay(charge), `${charge.txid}R1`)
      expect(yield* processor.lookupRefund(order)).toBeUndefined()
    }))
}

const byId = <A extends PaymentNotice>(notices: ReadonlyArray<A>): ReadonlyArray<A> =>
  notices.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))

const paymentsCases = (test: ProcessorSuiteCase): void => {
  test("the payments of a period come page by page, oldest first, each once, of one company only", (kit) =>
    Effect.gen(function* () {
      const { processor, company, otherCompany, pay, paymentsPerPage } = kit
      const from = yield* Clock.currentTimeMillis
      const made: Array<PaymentNotice> = []
      for (let n = 0; n < 2 * paymentsPerPage + 1; n++)
        made.push(yield* pay(yield* aRegisteredCharge(processor, company)))
      yield* pay(yield* aRegisteredCharge(processor, otherCompany))
      const period = { from: from - 1000, until: (yield* Clock.currentTimeMillis) + 1000 }
      const { items, pages } = yield* allPayments(processor, company, period)
      expect(byId(items)).toEqual(byId(made.map((notice) => ({ ...notice, returns: [] }))))
      expect(items.map(({ paidAt }) => paidAt)).toEqual(items.map(({ paidAt }) => paidAt).toSorted((a, b) => a - b))
      expect(pages).toBe(3)
    }))

  test("a period begins with its first instant and ends before its last", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const { paidAt, endToEndId } = yield* pay(yield* aRegisteredCharge(processor, company))
      const idsWithin = (from: number, until: number) =>
        Effect.map(allPayments(processor, company, { from, until }), ({ items }) =>
          items.map((item) => item.endToEndId),
        )
      expect(yield* idsWithin(paidAt, paidAt + 1)).toEqual([endToEndId])
      expect(yield* idsWithin(paidAt - 5000, paidAt)).toEqual([])
      expect(yield* idsWithin(paidAt + 1, paidAt + 5000)).toEqual([])
    }))

  test("a payment comes with what went back for it, under the id and the kind that its charge shows", (kit) =>
    Effect.gen(function* () {
      const { processor, company, pay } = kit
      const kept = yield* pay(yield* aRegisteredCharge(processor, company))
      const charge = yield* aRegisteredCharge(processor, company)
      const notice = yield* pay(charge)
      const order = refundOf(notice, `${charge.txid}R1`)
      yield* endOfRefund(processor, order, yield* processor.refund(order))
      const { returns } = yield* processor.lookup(charge)
      expect(returns).toMatchObject([{ id: order.refundId, kind: "refund", amountCents: notice.amountCents }])
      const period: Period = { from: notice.paidAt - 60_000, until: notice.paidAt + 60_000 }
      const { items } = yield* allPayments(processor, company, period)
      const all = [
        { ...kept, returns: [] },
        { ...notice, returns },
      ]
      expect(byId(items)).toEqual(byId(all))
      const returned = yield* allPayments(processor, company, { ...period, isReturned: true })
      // A processor that can't tell them apart lists all.
      expect(all).toEqual(expect.arrayContaining(returned.items))
      expect(returned.items).toContainEqual({ ...notice, returns })
    }))

  test("a period without payments is one empty page", ({ processor, company }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const page = yield* processor.payments(company.cnpj, { from: now - 86_400_000, until: now })
      expect(page).toEqual({ items: [] })
    }))
}

/** What every `PaymentProcessor` owes the service, whoever is behind it. `open` makes one afresh for each test. */
export const paymentProcessorSuite = (
  name: string,
  open: Effect.Effect<ProcessorUnderTest, unknown, Scope.Scope>,
): void => {
  const test = processorSuiteCase(open)
  describe(`${name}: a payment processor`, () => {
    registerCases(test)
    storedCases(test)
    lookupCases(test)
    cancelCases(test)
    refundCases(test)
    paymentsCases(test)
  })
}

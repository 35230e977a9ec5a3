import {
  ChargeLists,
  ChargeStore,
  type InvalidFilter,
  type Page,
  type PageRequest,
  PayerData,
  type StoreUnavailable,
  type TooManyReports,
} from "@pixcharge/core"
import type { Charge, ChargeStatus, Payment, PendingCharge } from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aCancelledCharge, aChange, aChargeId, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anEndToEndId, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { allPages, commit, insertCharge, insertPaid, requestRefund, refundCharge, settleCharge } from "../commits.ts"
import { insertCycleCharge } from "../recurrences.ts"
import type { StoreTests } from "../StoreDriver.ts"

const anyPayer = { name: "Clara Nunes", taxId: cpf("52998224725") }

const always = { from: 0, until: fixtureNow * 2 }

type List<A> = (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports>

const insertCancelled = (charge: PendingCharge) => {
  const next = aCancelledCharge(charge)
  return Effect.as(commit(aChange(charge, { next })), next)
}

/** Reads all pages, writing something new after each. */
const pagedUnderInserts = Effect.fnUntraced(function* <A, E, R>(
  list: List<A>,
  limit: number,
  write: Effect.Effect<unknown, E, R>,
) {
  const items: Array<A> = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page: Page<A> = yield* list({ limit, ...(cursor !== undefined && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    cursor = page.cursor
    pages += 1
    yield* write
  } while (cursor !== undefined && pages < 100)
  return items
})

export const listCases = ({ test }: StoreTests): void => {
  test("a company's charges are listed newest first, as `find` gives them", () =>
    Effect.gen(function* () {
      const old = yield* insertPaid({ createdAt: fixtureNow })
      const young = yield* insertCharge({ createdAt: fixtureNow + 2 })
      const middle = yield* insertCharge({ createdAt: fixtureNow + 1 })
      yield* insertCharge({ issuer: anotherCnpj })
      const lists = yield* ChargeLists
      expect(yield* lists.charges(aCnpj, always, { limit: 10 })).toEqual({ items: [young, middle, old] })
    }))

  test("pages of charges miss none and repeat none, though new ones come in between", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      // Four of every moment, so that pages end among equals.
      for (let at = 0; at < 22; at++) ids.push((yield* insertCharge({ createdAt: fixtureNow + Math.floor(at / 4) })).id)
      const lists = yield* ChargeLists
      const items = yield* pagedUnderInserts(
        (page) => lists.charges(aCnpj, always, page),
        5,
        insertCharge({ createdAt: fixtureNow + 1_000 }),
      )
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const moments = items.map(({ createdAt }) => createdAt)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
    }))

  test("charges are listed by their status as of a moment, beside others in the period", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const expired = yield* insertCharge()
      const pending = yield* insertCharge({ payableUntil: fixtureNow + 3_600_000 })
      const refunding = yield* requestRefund(yield* insertPaid())
      const byStatus: Readonly<Record<ChargeStatus, Charge>> = {
        expired,
        pending,
        paid: yield* insertPaid(),
        refunding,
        refunded: yield* refundCharge(yield* insertPaid()),
        cancelled: yield* insertCancelled(yield* insertCharge()),
        failed: yield* insertCycleCharge({ debit: { status: "unpaid", attempts: [], retries: [] } }),
      }
      yield* insertCharge({ issuer: anotherCnpj })
      const listWithStatus = (is: ChargeStatus, at: number) =>
        lists.charges(aCnpj, { ...always, status: { is, at } }, { limit: 10 })
      for (const [is, charge] of Object.entries(byStatus)) {
        expect(yield* listWithStatus(is as ChargeStatus, expired.payableUntil + 1)).toEqual({ items: [charge] })
      }
      // To the last millisecond it is payable.
      expect((yield* listWithStatus("expired", expired.payableUntil)).items).toEqual([])
      expect((yield* listWithStatus("pending", expired.payableUntil)).items).toHaveLength(2)
      expect(yield* lists.charges(aCnpj, { from: 0, until: 1, status: { is: "paid", at: 1 } }, { limit: 10 })).toEqual({
        items: [],
      })
    }))

  /** Charges with the texts that must find them. */
  const searched = Effect.gen(function* () {
    const joao = yield* insertPaid({ payer: { name: "João d'Água \\% _ Ñandú", taxId: cpf("52998224725") } })
    const maria = yield* insertCharge({ payer: { name: "MARIA das Dores", taxId: alphanumericCnpj } })
    const nobody = yield* insertCharge()
    const further = aPayment(joao, { paidAt: joao.payment.paidAt + 1 })
    yield* commit(aChange(joao, { payments: [further] }))
    yield* insertCharge({ issuer: anotherCnpj, ...joao.payer, id: joao.id, transactionId: joao.transactionId })
    const found: ReadonlyArray<readonly [string, Charge]> = [
      ["d'agua", joao],
      ["ñandu", joao],
      ["dores", maria],
      ["das dor", maria],
      ["joao", joao],
      [" JOÃO D'ÁGUA", joao],
      ["joão d'agua \\% _ nandu", joao],
      ["529.982.247-25", joao],
      ["52998224725", joao],
      [joao.payment.endToEndId, joao],
      [joao.payment.endToEndId.slice(0, -2), joao],
      [further.endToEndId, joao],
      [joao.id, joao],
      [joao.id.toUpperCase(), joao],
      [joao.txid, joao],
      [joao.txid.slice(0, 12), joao],
      [joao.id.slice(0, 20), joao],
      [joao.transactionId, joao],
      [joao.transactionId.slice(0, 15), joao],
      ["maria", maria],
      ["Maria das Dores", maria],
      ["12.abc.345/01de-35", maria],
      [nobody.id.slice(0, 14), nobody],
    ]
    const { endToEndId } = joao.payment
    const names = ["gua", "oão", "maria d_s", "%", "__", "", " ", "\u{10ffff}", "🦜", "52998224", "111.444.777-35"]
    const ids = [joao.id.slice(0, 7), joao.id.slice(1), `${joao.txid}0`]
    const payments = [endToEndId.slice(1), "E1234567", `${endToEndId}x`, endToEndId.toLowerCase()]
    const nothing = [...names, ...ids, ...payments]
    return { found, nothing }
  })

  const texts = (search: object = always) =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      return (text: string) =>
        Effect.map(lists.charges(aCnpj, { ...always, ...search, text }, { limit: 10 }), ({ items }) => items)
    })

  test("charges are found by the beginning of an id or of a name, and by a document", () =>
    Effect.gen(function* () {
      const { found, nothing } = yield* searched
      const list = yield* texts()
      for (const [text, charge] of found)
        expect({ text, items: yield* list(text) }).toMatchObject({ items: [{ id: charge.id }] })
      for (const text of nothing) expect({ text, items: yield* list(text) }).toEqual({ text, items: [] })
    }))

  test("a payer is found by the beginnings of several words, with others between them", () =>
    Effect.gen(function* () {
      const taxId = cpf("52998224725")
      const { id } = yield* insertCharge({ payer: { name: "Maria José dos  Santos", taxId } })
      yield* insertCharge({ payer: { name: "José Maria Sá", taxId } })
      yield* insertCharge({ payer: { name: "Marina", taxId } })
      const list = yield* texts()
      const find = (text: string) => Effect.map(list(text), (items) => items.map((charge) => charge.id))
      for (const text of [
        "maria santos",
        "MARIA  JOSE san",
        "mar jose",
        "maria dos santos",
        "m j d s",
        "santos",
        "jose san",
        "dos",
      ])
        expect([text, yield* find(text)]).toEqual([text, [id]])
      for (const text of [
        "maria antos",
        "maria santos jose",
        "maria maria",
        "antos",
        "santos maria",
        "maria %",
        "mari_ santos",
        "maria \\\\",
      ])
        expect([text, yield* find(text)]).toEqual([text, []])
    }))

  test("charges are found by the amount of a payment within the period", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({ createdAt: fixtureNow })
      const { amountCents, paidAt } = aPayment(paid, {
        amountCents: cents(31_337),
        paidAt: paid.payment.paidAt + 1_000,
      })
      yield* commit(aChange(paid, { payments: [aPayment(paid, { amountCents, paidAt })] }))
      const [whole, rest] = [Math.floor(amountCents / 100), String(amountCents % 100).padStart(2, "0")]
      const find = (text: string, search: object = {}) =>
        Effect.flatMap(texts(search), (list) => Effect.map(list(text), (items) => items.map(({ id }) => id)))
      expect(yield* find(`${whole},${rest}`)).toEqual([paid.id])
      expect(yield* find(`R$ ${whole},${rest}`)).toEqual([paid.id])
      expect(yield* find(`${whole + 1},${rest}`)).toEqual([])
      expect(yield* find(`${whole},${rest}`, { until: paidAt })).toEqual([])
      expect(yield* find(`${whole},${rest}`, { until: paidAt + 1 })).toEqual([paid.id])
    }))

  test("charges are found by their amount, paid or not, within the period", () =>
    Effect.gen(function* () {
      const unpaid = yield* insertCharge({ amountCents: cents(123_456) })
      const paid = yield* insertPaid({ amountCents: cents(123_456), createdAt: fixtureNow - 1 })
      yield* insertCharge({ amountCents: cents(123_457) })
      yield* insertCharge({ amountCents: cents(123_456), issuer: anotherCnpj })
      expect(yield* (yield* texts())("1.234,56")).toEqual([unpaid, paid])
      expect(yield* (yield* texts({ from: fixtureNow }))("R$ 1234,56")).toContainEqual(unpaid)
      expect(yield* (yield* texts({ from: fixtureNow + 1 }))("1.234,56")).toEqual([])
    }))

  test("charges are narrowed to amounts, due days and moments of payment, ends included, each with all else", () =>
    Effect.gen(function* () {
      const day = (text: string) => text as LocalDate
      const due = yield* insertCharge({ amountCents: cents(500), dueDate: day("2027-01-31"), payer: anyPayer })
      const paid = yield* insertPaid({ amountCents: cents(700), createdAt: fixtureNow - 1 })
      const refunded = yield* refundCharge(yield* insertPaid({ amountCents: cents(900), createdAt: fixtureNow - 2 }))
      yield* insertCharge({ issuer: anotherCnpj, amountCents: cents(500) })
      const lists = yield* ChargeLists
      const find = (search: object) =>
        Effect.map(lists.charges(aCnpj, { ...always, ...search }, { limit: 10 }), ({ items }) => items)
      const amount = (minCents: number, maxCents: number) => ({ amount: { minCents, maxCents } })
      const dueOn = (from: string, until: string) => ({ due: { from: day(from), until: day(until) } })
      const { paidAt } = paid.payment
      expect(yield* find(amount(500, 700))).toEqual([due, paid])
      expect(yield* find(amount(501, Number.MAX_SAFE_INTEGER))).toEqual([paid, refunded])
      expect(yield* find(dueOn("2027-01-31", "2027-01-31"))).toEqual([due])
      expect(yield* find(dueOn("2027-02-01", "2027-02-28"))).toEqual([])
      expect(yield* find(dueOn("2027-01-01", "2027-01-30"))).toEqual([])
      expect(yield* find({ paid: { from: paidAt, until: paidAt + 1 } })).toContainEqual(paid)
      expect(yield* find({ paid: { from: 0, until: paidAt } })).not.toContainEqual(paid)
      expect(yield* find({ paid: always })).toEqual([paid, refunded])
      expect(yield* find({ paid: always, ...amount(900, 900) })).toEqual([refunded])
      expect(yield* find({ paid: always, status: { is: "paid", at: fixtureNow } })).toEqual([paid])
      expect(yield* find({ ...dueOn("2027-01-31", "2027-01-31"), text: anyPayer.name, ...amount(0, 500) })).toEqual([
        due,
      ])
      expect(yield* find({ ...amount(0, 499), text: anyPayer.name })).toEqual([])
      const next = yield* lists.charges(aCnpj, { ...always, ...amount(0, 900) }, { limit: 1 })
      const cursor = String(next.cursor)
      expect((yield* lists.charges(aCnpj, { ...always, ...amount(0, 900) }, { limit: 5, cursor })).items).toEqual([
        paid,
        refunded,
      ])
    }))

  test("a text finds only what has the status and lies in the period, as `find` gives it", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      const paid = yield* insertPaid({ payer, createdAt: fixtureNow + 2 })
      const old = yield* insertPaid({ payer, createdAt: fixtureNow })
      yield* insertCharge({ payer, createdAt: fixtureNow + 1 })
      const status = { is: "paid", at: fixtureNow }
      expect(yield* (yield* texts({ status }))("ana")).toEqual([paid, old])
      expect(yield* (yield* texts({ status, from: fixtureNow + 1 }))("ana")).toEqual([paid])
      expect(yield* (yield* texts({ until: fixtureNow + 2 }))(payer.taxId)).toHaveLength(2)
      for (const text of [paid.id, paid.transactionId, paid.payment.endToEndId]) {
        expect(yield* (yield* texts({ from: fixtureNow + 2 }))(text)).toEqual([paid])
        expect(yield* (yield* texts({ until: fixtureNow + 2 }))(text)).toEqual([])
      }
    }))

  test("another company's charge of the same id matches no text", () =>
    Effect.gen(function* () {
      const { id } = yield* insertCharge({ payer: { name: "Bruno Lima", taxId: alphanumericCnpj } })
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      const other = yield* insertCancelled(yield* insertCharge({ issuer: anotherCnpj, id, payer }))
      const lists = yield* ChargeLists
      for (const text of [payer.taxId, payer.name, other.transactionId]) {
        expect((yield* lists.charges(aCnpj, { ...always, text }, { limit: 10 })).items).toEqual([])
        expect((yield* lists.charges(anotherCnpj, { ...always, text }, { limit: 10 })).items).toEqual([other])
      }
    }))

  test("an erased payer is found by neither name nor document", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      yield* insertCharge({ payer })
      yield* insertPaid({ payer })
      const list = yield* texts()
      expect(yield* list("ana")).toHaveLength(2)
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, fixtureNow)
      expect(yield* list("ana")).toEqual([])
      expect(yield* list(payer.taxId)).toEqual([])
    }))

  for (const [what, search] of Object.entries({
    "a status": { status: { is: "expired", at: fixtureNow * 2 } },
    "a text": { text: "ana" },
    "a status and a text": { status: { is: "expired", at: fixtureNow * 2 }, text: "529.982.247-25" },
  } as const)) {
    test(`pages of charges with ${what} miss none and repeat none, though new ones come in between`, () =>
      Effect.gen(function* () {
        const ids: Array<string> = []
        const payer = { name: "Ana", taxId: cpf("52998224725") }
        for (let at = 0; at < 22; at++) {
          ids.push((yield* insertCharge({ payer, createdAt: fixtureNow + Math.floor(at / 4) })).id)
          yield* insertCancelled(yield* insertCharge({ createdAt: fixtureNow + at }))
        }
        const lists = yield* ChargeLists
        const items = yield* pagedUnderInserts(
          (page) => lists.charges(aCnpj, { ...always, ...search }, page),
          5,
          insertCharge({ payer, createdAt: fixtureNow + 1_000 }),
        )
        expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
        const moments = items.map(({ createdAt }) => createdAt)
        expect(moments).toEqual(moments.toSorted((a, b) => b - a))
      }))
  }

  test("a period holds its first moment and not its last", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const returned = aReturn(charge.payment)
      yield* commit(aChange(charge, { returns: [returned] }))
      const counted = Effect.fnUntraced(function* (from: number, until: number) {
        const page = { limit: 10 }
        return [
          (yield* lists.charges(aCnpj, { from, until }, page)).items.length,
          (yield* lists.payments(aCnpj, { from, until }, page)).items.length,
          (yield* lists.returns(aCnpj, { from, until }, page)).items.length,
        ]
      })
      const moments = [charge.createdAt, charge.payment.paidAt, returned.returnedAt]
      for (const [at, moment] of moments.entries()) {
        const only = [0, 0, 0].with(at, 1)
        expect(yield* counted(moment, moment + 1)).toEqual(only)
        expect((yield* counted(moment - 1, moment))[at]).toBe(0)
        expect((yield* counted(moment + 1, moment + 2))[at]).toBe(0)
        expect(yield* counted(moment, moment)).toEqual([0, 0, 0])
      }
    }))

  test("payments are listed oldest first and then by endToEndId, matched or not", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const { paidAt } = charge.payment
      const further = aPayment(charge, { paidAt: paidAt - 1 })
      const twin = aPayment(charge, { paidAt })
      const unmatched = anUnmatchedPayment({ paidAt: paidAt + 1 })
      yield* commit(aChange(charge, { payments: [twin, further] }))
      yield* (yield* ChargeStore).recordUnmatched(unmatched)
      yield* (yield* ChargeStore).recordUnmatched(anUnmatchedPayment({ issuer: anotherCnpj }))
      const twins = [charge.payment, twin].toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(yield* lists.payments(aCnpj, always, { limit: 10 })).toEqual({
        items: [further, ...twins, unmatched],
      })
      expect(yield* lists.paymentsAt(aCnpj, always)).toEqual([further, ...twins, unmatched])
      const moment = { from: further.paidAt, until: further.paidAt + 1 }
      expect(yield* lists.paymentsAt(aCnpj, moment)).toEqual(
        [further, ...twins, unmatched].filter((payment) => payment.paidAt === further.paidAt),
      )
    }))

  test("payments are found together by their endToEndIds, each once, and of the company alone", () =>
    Effect.gen(function* () {
      const { paymentsById } = yield* ChargeLists
      const charge = yield* insertPaid()
      const unmatched = anUnmatchedPayment()
      yield* (yield* ChargeStore).recordUnmatched(unmatched)
      const theirs = yield* insertPaid({ issuer: anotherCnpj })
      const ids = [charge.payment, unmatched, theirs.payment, anUnmatchedPayment(), unmatched].map(
        ({ endToEndId }) => endToEndId,
      )
      const found = yield* paymentsById(aCnpj, ids)
      const byId = (rows: ReadonlyArray<Payment>) => rows.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(byId(found)).toEqual(byId([charge.payment, unmatched]))
      expect(yield* paymentsById(aCnpj, [])).toEqual([])
    }))

  test("pages of payments miss none and repeat none, though newer ones come in between", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const lists = yield* ChargeLists
      const rows = Array.from({ length: 23 }, (_, at) =>
        anUnmatchedPayment({ paidAt: fixtureNow + Math.floor(at / 5) }),
      )
      for (const row of rows) yield* store.recordUnmatched(row)
      const period = { from: 0, until: fixtureNow + 100 }
      const items = yield* pagedUnderInserts(
        (page) => lists.payments(aCnpj, period, page),
        4,
        store.recordUnmatched(anUnmatchedPayment({ paidAt: fixtureNow + 100 })),
      )
      const order = rows.toSorted((a, b) => a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(items).toEqual(order)
    }))

  test("returns are listed oldest first, page by page", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const rows = Array.from({ length: 9 }, (_, at) =>
        aReturn(charge.payment, { id: `D${at}`, amountCents: 1 as never, returnedAt: fixtureNow + (at >> 1) }),
      )
      yield* commit(aChange(charge, { returns: rows.toReversed() }))
      const pages = yield* allPages((page) => lists.returns(aCnpj, always, page), 2)
      expect(pages.flat()).toEqual(rows)
      expect(yield* lists.returns(anotherCnpj, always, { limit: 10 })).toEqual({ items: [] })
    }))

  test("the returns of some payments are their company's own, each once, oldest first", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const id = aChargeId()
      const endToEndId = anEndToEndId()
      const paidBy = Effect.fnUntraced(function* (issuer: Cnpj, payment: Parameters<typeof aPayment>[1]) {
        const pending = yield* insertCharge({ id, issuer, createdAt: fixtureNow - 1_000 })
        return yield* settleCharge(pending, aPayment(pending, payment))
      })
      const own = yield* paidBy(aCnpj, { endToEndId })
      const another = yield* paidBy(anotherCnpj, { endToEndId })
      const further = aPayment(own, { endToEndId: anEndToEndId() })
      const parts = (payment: typeof further, ...moments: ReadonlyArray<number>) =>
        moments.map((returnedAt, at) => aReturn(payment, { id: `D${at}`, amountCents: 1 as never, returnedAt }))
      const [early, late] = [fixtureNow - 9_000, fixtureNow + 90_000_000]
      const many = Array.from({ length: 150 }, (_, at) => (at < 75 ? late : early))
      const returns = [...parts(own.payment, late, early, fixtureNow), ...parts(further, ...many)]
      yield* commit(aChange(own, { payments: [further], returns }))
      yield* commit(aChange(another, { returns: parts(another.payment, fixtureNow) }))
      const inOrder = (some: typeof returns) =>
        some.toSorted((a, b) => a.returnedAt - b.returnedAt || (a.endToEndId + a.id < b.endToEndId + b.id ? -1 : 1))
      const listReturns = (...endToEndIds: ReadonlyArray<string>) => lists.returnsOf(aCnpj, endToEndIds)
      expect(yield* listReturns(endToEndId)).toEqual(inOrder(returns.slice(0, 3)))
      expect(yield* listReturns(further.endToEndId, endToEndId, endToEndId)).toEqual(inOrder(returns))
      expect(yield* lists.returnsOf(anotherCnpj, [endToEndId, further.endToEndId])).toHaveLength(1)
      expect(yield* listReturns()).toEqual([])
      expect(yield* listReturns(anEndToEndId())).toEqual([])
    }))

  test("the largest page holds a thousand", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      yield* Effect.all(
        Array.from({ length: 1_001 }, (_, at) =>
          store.recordUnmatched(anUnmatchedPayment({ paidAt: fixtureNow + at })),
        ),
        { concurrency: "unbounded" },
      )
      const lists = yield* ChargeLists
      const pages = yield* allPages((page) => lists.payments(aCnpj, always, page), 1_000)
      expect(pages.map(({ length }) => length)).toEqual([1_000, 1])
    }))

  test("one payment is found by its endToEndId, matched or not, and by its own company alone", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const stranger = anUnmatchedPayment()
      yield* (yield* ChargeStore).recordUnmatched(stranger)
      for (const payment of [charge.payment, stranger]) {
        expect(yield* lists.payment(aCnpj, payment.endToEndId)).toEqual(payment)
        expect(yield* lists.payment(anotherCnpj, payment.endToEndId)).toBeUndefined()
      }
      expect(yield* lists.payment(aCnpj, anEndToEndId())).toBeUndefined()
    }))
}

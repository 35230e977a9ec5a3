import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"
import { loggedBy } from "../bank/openShop.ts"
import { endToEndId, everyPayment, listedFrom, type ListedPage, openListBank, pixBody } from "../bank/listBank.ts"

const always = { from: listedFrom, until: listedFrom + 1_000_000 }
const pageSize = 2

const listedPage = (numbers: ReadonlyArray<number>, page: number): ListedPage => ({
  numbers: numbers.slice(page * pageSize, (page + 1) * pageSize),
  paginacao: {
    quantidadeDePaginas: Math.ceil(numbers.length / pageSize),
    quantidadeTotalDeItens: numbers.length,
  },
})

const found = (list: Parameters<typeof openListBank>[0]) =>
  Effect.gen(function* () {
    const { processor, queries } = yield* openListBank(list)
    const items = yield* everyPayment(processor, always)
    return {
      queries,
      ids: items.map((item) => item.endToEndId),
      distinct: new Set(items.map((item) => item.endToEndId)),
    }
  })

const ids = (...numbers: ReadonlyArray<number>): ReadonlyArray<string> => numbers.map(endToEndId)

describe("a bank's list of payments", () => {
  it.live("is requested with the filter for returns", () =>
    Effect.gen(function* () {
      const { processor, queries } = yield* openListBank(() => ({ numbers: [] }))
      yield* everyPayment(processor, always)
      yield* everyPayment(processor, { ...always, isReturned: true })
      expect(queries.map((query) => query.get("devolucaoPresente"))).toEqual([null, "true"])
    }),
  )

  it.live("fails if the bank repeats a page in place of the next page", () =>
    Effect.gen(function* () {
      for (const total of [3, 4, 7]) {
        const numbers = Array.from({ length: total }, (_, n) => n)
        const { processor, queries } = yield* openListBank(() => listedPage(numbers, 0))
        expect(yield* Effect.flip(everyPayment(processor, always))).toMatchObject({
          _tag: "ProcessorUnavailable",
          operation: "payments",
          cause: "the bank repeats the previous page as page 2",
        })
        expect(queries).toHaveLength(3)
      }
    }),
  )

  it.live("is read without payments just outside the period, but with payments far outside", () =>
    Effect.gen(function* () {
      const hour = 3_600
      const numbers = [-3 * hour, -3, -2, -1, 0, 9, 10, 11, 12, 3 * hour]
      const { processor } = yield* openListBank(() => ({ numbers, paginacao: { quantidadeDePaginas: 1 } }))
      const tenSeconds = { from: listedFrom, until: listedFrom + 10_000 }
      const read = yield* everyPayment(processor, tenSeconds)
      expect(read.map((item) => item.endToEndId)).toEqual(ids(-3 * hour, -3, 0, 9, 12, 3 * hour))
    }),
  )

  it.effect("is requested for a period that begins now, but not for a period in the future", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(listedFrom)
      const { processor, queries } = yield* openListBank(() => ({
        numbers: [0],
        paginacao: { quantidadeDePaginas: 1 },
      }))
      const now = { from: listedFrom, until: listedFrom + 1_000 }
      expect((yield* everyPayment(processor, now)).map((item) => item.endToEndId)).toEqual(ids(0))
      const calls = queries.length
      yield* everyPayment(processor, { from: now.from + 1, until: now.until })
      expect(queries).toHaveLength(calls)
    }),
  )

  it.live("is sorted by time, and payments of the same time by id", () =>
    Effect.gen(function* () {
      const atOnce = [8, 9].map((n) => ({ ...pixBody(2), endToEndId: endToEndId(n) })).toReversed()
      const { processor } = yield* openListBank(() => ({ numbers: [3, 1, 2], others: atOnce }))
      const { items } = yield* processor.payments(company.cnpj, always)
      const read = () => Effect.runPromise(processor.payments(company.cnpj, always))
      expect(yield* Effect.promise(() => loggedBy(read))).toBe("")
      expect(items.map((item) => item.endToEndId)).toEqual(ids(1, 2, 8, 9, 3))
    }),
  )

  it.live("is read only once if every page repeats all payments and has no counts", () =>
    Effect.gen(function* () {
      const { ids: read, queries } = yield* found(() => ({ numbers: [1, 2, 3] }))
      expect(read).toEqual(ids(1, 2, 3))
      // Page 1 can repeat page 0, because some banks count from 1. A repeat as page 2 ends the list.
      expect(queries).toHaveLength(3)
    }),
  )

  it.live("is read to its end if its pages are small and without counts", () =>
    Effect.gen(function* () {
      const { ids: read } = yield* found((page) => ({ numbers: listedPage([1, 2, 3, 4, 5], page).numbers }))
      expect(read).toEqual(ids(1, 2, 3, 4, 5))
    }),
  )

  it.live("is read without gaps if payments leave it meanwhile", () =>
    Effect.gen(function* () {
      for (const lost of [1, 2, 3, 4]) {
        const all = [1, 2, 3, 4, 5, 6, 7, 8]
        const { distinct } = yield* found((page, call) => listedPage(call < 3 ? all : all.slice(lost), page))
        expect(all.slice(lost).filter((n) => !distinct.has(endToEndId(n)))).toEqual([])
        // The same must be true if the bank's first page has no counts.
        const later = yield* found((page, call) => {
          const { numbers, paginacao } = listedPage(call < 4 ? all : all.slice(lost), page)
          return call === 1 ? { numbers } : { numbers, paginacao: paginacao ?? {} }
        })
        expect(all.slice(lost).filter((n) => !later.distinct.has(endToEndId(n)))).toEqual([])
      }
    }),
  )

  it.live("ends if it shrinks to fewer payments than were already read", () =>
    Effect.gen(function* () {
      const { distinct } = yield* found((page, call) => listedPage(call < 3 ? [1, 2, 3, 4, 5] : [3], page))
      expect(distinct).toContain(endToEndId(3))
    }),
  )

  it.live("is read without gaps if payments are added at its beginning", () =>
    Effect.gen(function* () {
      const { distinct } = yield* found((page, call) => listedPage(call === 1 ? [1, 2, 3, 4] : [0, 1, 2, 3, 4], page))
      expect([...distinct]).toEqual(expect.arrayContaining([...ids(1, 2, 3, 4)]))
    }),
  )

  it.live("ends even if its counts change", () =>
    Effect.gen(function* () {
      const { ids: read } = yield* found((page, call) => listedPage([1, 2, 3, 4, 5, 6].slice(0, 6 - (call % 2)), page))
      expect(read.length).toBeLessThan(20)
      expect(new Set(read).size).toBeGreaterThanOrEqual(5)
    }),
  )

  it.live("returns the readable payments, and the number of unreadable ones", () =>
    Effect.gen(function* () {
      const unreadable = { endToEndId: endToEndId(9), valor: "1.000,00", horario: new Date(listedFrom).toISOString() }
      const { processor } = yield* openListBank((page) => ({
        ...listedPage([1, 2, 3], page),
        others: [unreadable, unreadable, 1],
      }))
      const { payments } = processor
      const output = yield* Effect.promise(() => loggedBy(() => Effect.runPromise(payments(company.cnpj, always))))
      expect(output).toMatch(/ERROR \(#0\): The bank's list of payments has 3 that can't be read, at valor, \(all\)$/)
      const first = yield* payments(company.cnpj, always)
      expect(first.items.map((item) => item.endToEndId)).toEqual(ids(1, 2))
      expect(first.unreadable).toBe(3)
      const second = yield* payments(company.cnpj, always, first.cursor)
      expect(second.items.map((item) => item.endToEndId)).toEqual(ids(3))
      expect(second).toMatchObject({ unreadable: 3 })
      expect(second.cursor).toBeUndefined()
    }),
  )

  it.live("is read to its end if some of its pages are unreadable", () =>
    Effect.gen(function* () {
      // The first and second of three pages are unreadable, and the bank counts no pages.
      const pages: ReadonlyArray<ListedPage> = [
        { numbers: [], others: [{ endToEndId: "a" }, { endToEndId: "b" }] },
        { numbers: [], others: [{ valor: 1 }, { valor: 2 }] },
        { numbers: [1] },
      ]
      const { ids: read, queries } = yield* found((page) => pages[page] ?? { numbers: [] })
      expect(read).toEqual(ids(1))
      expect(queries).toHaveLength(4)
    }),
  )

  it.live("returns a payment with an unreadable return, and reports it", () =>
    Effect.gen(function* () {
      const { processor } = yield* openListBank(() => ({
        numbers: [],
        others: [
          {
            endToEndId: endToEndId(1),
            valor: "1.00",
            horario: new Date(listedFrom).toISOString(),
            devolucoes: [{ id: "R", valor: "1,000.00", status: "DEVOLVIDO" }],
          },
        ],
      }))
      const page = yield* processor.payments(company.cnpj, always)
      expect(page).toMatchObject({ items: [{ endToEndId: endToEndId(1), returns: [] }], unreadable: 1 })
    }),
  )
})

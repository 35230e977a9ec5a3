import { it } from "@pixcharge/adapter-tests/suites"
import { standardProfile } from "@pixcharge/processor-api-pix"
import type { BankWays } from "@pixcharge/simulated-bank"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { company, openBank } from "../bank/openBank.ts"
import { endToEndId, everyPayment, listedFrom, openListBank } from "../bank/listBank.ts"

const pageSize = 3
const profile = { ...standardProfile, pageSize }
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

const openList = (ways: Partial<BankWays>, from = profile) =>
  Effect.gen(function* () {
    const { psp, processor } = yield* openBank({ ways }, { profile: from })
    const paid: Array<string> = []
    return Effect.fnUntraced(function* (count: number) {
      while (paid.length < count) paid.push(psp.payToKey(company.pixKey, 100 + paid.length).endToEndId)
      const before = psp.exchanges.length
      const found = yield* everyPayment(processor, { from: Date.now() - 60_000, until: Date.now() + 60_000 })
      expect(new Set(found.map((one) => one.endToEndId))).toEqual(new Set(paid))
      const calls = psp.exchanges.slice(before).filter(({ path }) => path === "/pix")
      return calls.map(({ query }) => new URLSearchParams(query).get("paginacao.paginaAtual"))
    })
  })

const counts = ["right", "roundedDown", "none", "ofThisPage"] as const
const beyond = ["empty", "refused", "lastPage"] as const
const sizes = [0, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize]

describe("a bank's list of payments", () => {
  for (const pageCounts of counts) {
    for (const pagesBeyond of beyond) {
      for (const firstPage of [0, 1] as const) {
        const ways = { pageCounts, pagesBeyond, firstPage }
        // If a bank refuses page 0, its profile must name the first page.
        const known = { ...profile, ...(pagesBeyond === "refused" && { firstPage }) }
        it.live(
          `is read completely (page counts: ${pageCounts}, first page: ${firstPage}, beyond the last page: ${pagesBeyond})`,
          () =>
            Effect.gen(function* () {
              const list = yield* openList(ways, known)
              for (const count of sizes) {
                // Such a bank repeats a full page and has no counts, so we can't know whether there are more payments.
                const isAmbiguous = count === pageSize && pagesBeyond === "lastPage" && pageCounts === "none"
                if (!isAmbiguous) yield* list(count)
                else expect(yield* Effect.flip(list(count))).toMatchObject({ _tag: "ProcessorUnavailable" })
              }
            }),
        )

        it.live(
          `is read completely in pages smaller than requested (${pageCounts}, ${firstPage}, ${pagesBeyond})`,
          () =>
            Effect.gen(function* () {
              const list = yield* openList({ ...ways, pageSize: 2 }, known)
              for (const count of [1, 2, 5]) yield* list(count)
            }),
        )
      }
    }
  }

  it.live("is never requested from page 0 if the profile counts pages from 1", () =>
    Effect.gen(function* () {
      for (const pageCounts of counts) {
        const list = yield* openList({ firstPage: 1, pageCounts }, { ...profile, firstPage: 1 })
        expect((yield* list(7)).slice(0, 3)).toEqual(["1", "2", "3"])
      }
    }),
  )

  it.live("isn't requested beyond its partial last page if its counts are right", () =>
    Effect.gen(function* () {
      const list = yield* openList({})
      expect(yield* list(0)).toEqual(["0"])
      expect(yield* list(2)).toEqual(["0"])
      expect(yield* list(7)).toEqual(["0", "1", "2"])
    }),
  )

  it.live("is read completely if page 0 is empty, but the bank counts payments", () =>
    Effect.gen(function* () {
      const cases = [
        { paginacao: { quantidadeTotalDeItens: 3 }, pages: [[], [1, 2], [3]] },
        { paginacao: { quantidadeDePaginas: 2 }, pages: [[], [1, 2], [3]] },
        { paginacao: { quantidadeDePaginas: 1 }, pages: [[], [1, 2, 3]] },
      ]
      for (const { paginacao, pages } of cases) {
        const { processor } = yield* openListBank((page) => ({ paginacao, numbers: pages[page] ?? [] }))
        const found = yield* everyPayment(processor, { from: listedFrom, until: listedFrom + 1_000_000 })
        expect(found.map((one) => one.endToEndId)).toEqual([1, 2, 3].map(endToEndId))
      }
    }),
  )

  it.live("is read completely if a page in its middle is empty, but the bank counts more payments", () =>
    Effect.gen(function* () {
      const ways = [
        { quantidadeDePaginas: 3 },
        { quantidadeTotalDeItens: 3 },
        { quantidadeDePaginas: 1, quantidadeTotalDeItens: 3 },
      ]
      for (const paginacao of ways) {
        const { processor } = yield* openListBank((page) => ({ paginacao, numbers: [[1, 2], [], [3]][page] ?? [] }))
        const found = yield* everyPayment(processor, { from: listedFrom, until: listedFrom + 1_000_000 })
        expect(found.map((one) => one.endToEndId)).toEqual([1, 2, 3].map(endToEndId))
      }
    }),
  )
})

describe("a bank's endless list", () => {
  it.live("fails after a thousand pages although the bank counts only one", () =>
    Effect.gen(function* () {
      const paginacao = { quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 }
      // Each page is full: it has one payment, the page size.
      const full = (page: number) => ({ paginacao, numbers: [page] })
      const { processor, queries } = yield* openListBank(full, { ...standardProfile, pageSize: 1 })
      const search = { from: listedFrom, until: listedFrom + 1_000_000_000 }
      expect(yield* Effect.flip(everyPayment(processor, search))).toMatchObject({
        _tag: "ProcessorUnavailable",
        operation: "payments",
        cause: "the bank's list has not ended after 1000 pages",
      })
      expect(queries).toHaveLength(1_000)
    }),
  )
})

describe("a charge whose payments only the list shows", () => {
  it.live("gets a payment from beyond the first page if the bank ignores the txid", () =>
    Effect.gen(function* () {
      const hidden: Partial<BankWays> = { paymentsInCharges: false, ignoresTxid: true, pageCounts: "none" }
      const { psp, processor } = yield* openBank({ ways: hidden }, { profile })
      const order = yield* anOrder(company)
      yield* processor.register(order)
      const paidAt = Date.now() - 5_000
      for (const n of numbers(5)) psp.payToKey(company.pixKey, 100 + n)
      const { endToEndId: id } = psp.pay(company.cnpj, order.txid, { paidAt: paidAt + 4_000 })
      const view = yield* processor.lookup({
        ...order,
        _tag: "Pending",
        issuer: company.cnpj,
        createdAt: paidAt,
      } as never)
      expect(view.payments.map((one) => one.endToEndId)).toEqual([id])
    }),
  )
})

import { PayerData } from "@pixcharge/core"
import type { PendingCharge, TermsRow } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, fixtureNow } from "../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, cpf } from "../fixtures/Companies.ts"
import { aChangedCharge, aFirstRow, aRequestedRow } from "../fixtures/TermsRows.ts"
import { commit, find, insertCharge } from "./commits.ts"
import type { StoreTests } from "./StoreDriver.ts"

const payer = { name: 'Joana d\'Arc "Jô" \\ 🦜', taxId: cpf("52998224725") }
const ofShop = { payer, reference: "Pedido de Joana", metadata: { aluna: "Joana", turma: "5B" } }
const erasedAt = fixtureNow + 777_000

/** Requests a change that names another payer. */
const requestPayer = Effect.fnUntraced(function* (charge: PendingCharge, shown: Partial<TermsRow>) {
  const rows = [aFirstRow(charge), aRequestedRow(charge, shown)]
  const next = aChangedCharge(charge, ...rows)
  expect((yield* commit(aChange(charge, { next, termsRows: rows }))).moved).toBe(true)
  return next
})

const successor = {
  payer: { name: "Rui d'Arc", taxId: cpf("11144477735") },
  messageToPayer: "Para Rui",
  reference: "Pedido de Rui",
} as const

/** The change in force. */
const confirm = (requested: PendingCharge) => {
  const rows = requested.termsRows?.slice(-1).map((row) => ({ ...row, inForceAt: requested.updatedAt + 1 })) ?? []
  const next = aChangedCharge(requested, ...rows)
  return { next, change: aChange(requested, { next, termsRows: rows }) }
}

export const termsRowCases = ({ test }: StoreTests): void => {
  test("exports and erases all rows of a charge by each payer that they name", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      for (const taxId of [payer.taxId, successor.payer.taxId]) {
        const [charge, confirmed] = [yield* insertCharge(ofShop), yield* insertCharge(ofShop)]
        const requested = yield* requestPayer(charge, successor)
        const { next, change } = confirm(yield* requestPayer(confirmed, successor))
        expect((yield* commit(change)).moved).toBe(true)
        const other = yield* requestPayer(yield* insertCharge(), { payer: { name: "Eva", taxId: alphanumericCnpj } })
        const { charges } = yield* payers.export(aCnpj, taxId)
        expect(charges).toHaveLength(2)
        expect(charges).toEqual(expect.arrayContaining([requested, next]))
        expect(yield* payers.erase(aCnpj, taxId, erasedAt)).toBe(2)
        for (const one of [requested, next]) {
          const found = yield* find(one)
          const texts = JSON.stringify(found)
          for (const text of ["Joana", "Jô", "Rui", payer.taxId, successor.payer.taxId])
            expect(texts).not.toContain(text)
          expect(found).toMatchObject({ amountCents: one.amountCents, payerErasedAt: erasedAt })
          const facts = one.termsRows?.map(
            ({ payer: _, messageToPayer: _m, reference: _r, metadata: _d, ...row }) => row,
          )
          expect(found?.termsRows).toEqual(facts)
        }
        expect(yield* find(other)).toEqual(other)
      }
    }))

  test("doesn't restore an erased payer by a change that was decided before the erasure", () =>
    Effect.gen(function* () {
      const [charge, issued] = [yield* insertCharge(ofShop), yield* insertCharge(ofShop)]
      const { next, change } = confirm(yield* requestPayer(charge, successor))
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      expect((yield* commit(change)).moved).toBe(true)
      yield* requestPayer(issued, successor)
      const found = [yield* find(charge), yield* find(issued)]
      for (const text of ["Joana", "Jô", "Rui", "5B"]) expect(JSON.stringify(found)).not.toContain(text)
      expect(found[0]).toMatchObject({ amountCents: next.amountCents, payerErasedAt: erasedAt })
      expect(found.map((one) => one?.termsRows?.length)).toEqual([2, 2])
    }))

  test("keeps references and metadata of rows on request, and writes no others", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const [charge, without] = [yield* insertCharge(ofShop), yield* insertCharge({ payer })]
      const { change } = confirm(yield* requestPayer(charge, successor))
      yield* requestPayer(without, successor)
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt, { keepReference: true })).toBe(2)
      yield* commit(change)
      const found = yield* find(charge)
      const { reference, metadata } = ofShop
      expect(found).toMatchObject({ reference, metadata })
      expect(found?.termsRows?.map((row) => [row.reference, row.metadata])).toEqual([
        [reference, metadata],
        [successor.reference, metadata],
      ])
      const texts = JSON.stringify([found?.termsRows?.map(({ payer: who }) => who), yield* find(without)])
      for (const text of ["Arc", "Pedido", payer.taxId]) expect(texts).not.toContain(text)
    }))
}

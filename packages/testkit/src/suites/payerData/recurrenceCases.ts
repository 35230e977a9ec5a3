import { PayerData } from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { movedRecurrence } from "../../fixtures/Recurrences.ts"
import { find, insertCharge } from "../commits.ts"
import { commitRecurrence, endRecurrence, findRecurrence, insertApproved, insertRecurrence } from "../recurrences.ts"
import type { StoreTests } from "../StoreDriver.ts"

const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
const erasedAt = fixtureNow + 777_000

export const recurrenceCases = ({ test }: StoreTests): void => {
  test("a payer is forgotten in this company's recurrences, and no move that was decided before restores it", () =>
    Effect.gen(function* () {
      const [payers, store] = [yield* PayerData, yield* RecurrenceStore]
      const ended = [yield* endRecurrence(yield* insertApproved()), yield* endRecurrence(yield* insertApproved())]
      const others = [
        yield* insertRecurrence({ issuer: anotherCnpj }),
        yield* insertRecurrence({ payer: { ...payer, taxId: alphanumericCnpj } }),
      ]
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt)).toBe(2)
      for (const one of ended) {
        const { payer: _, ...facts } = one
        expect(yield* findRecurrence(one)).toEqual({ ...facts, payerErasedAt: erasedAt })
        expect(yield* commitRecurrence(one, movedRecurrence(one))).toBe(true)
        expect(yield* findRecurrence(one)).toEqual({ ...movedRecurrence(facts as typeof one), payerErasedAt: erasedAt })
      }
      expect((yield* store.list(aCnpj, { payer: payer.taxId }, { limit: 5 })).items).toEqual([])
      for (const other of others) expect(yield* findRecurrence(other)).toEqual(other)
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt + 1)).toBe(0)
    }))

  test("a payer's account is forgotten with them", () =>
    Effect.gen(function* () {
      const request = { by: "bank", ispb: "12345678", until: fixtureNow + 1 } as const
      const journey = { ...request, branch: "1", account: "987654" }
      const { payer: _, ...facts } = yield* endRecurrence(yield* insertApproved({ journey }))
      expect(yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)).toBe(1)
      expect(yield* findRecurrence(facts)).toEqual({ ...facts, journey: request, payerErasedAt: erasedAt })
    }))

  test("nothing of a payer is forgotten while one of their recurrences isn't over", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const charge = yield* insertCharge({ payer })
      const ended = yield* endRecurrence(yield* insertApproved())
      const [requested, approved] = [yield* insertRecurrence(), yield* insertApproved()]
      const refusal = yield* Effect.flip(payers.erase(aCnpj, payer.taxId, erasedAt))
      expect(refusal).toMatchObject({ _tag: "PayerHasRecurrence", issuer: aCnpj })
      expect([requested.id, approved.id]).toContain("id" in refusal && refusal.id)
      for (const known of [ended, requested, approved]) expect(yield* findRecurrence(known)).toEqual(known)
      expect(yield* find(charge)).toEqual(charge)
    }))
}

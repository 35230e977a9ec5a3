import { ChargeStore } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

export const ownerCases = ({ test }: StoreTests): void => {
  test("the companies whose books have payments are found by ids in either case", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const settling = (yield* insertPaid({ issuer: alphanumericCnpj })).payment.endToEndId
      const unmatched = anUnmatchedPayment({ issuer: anotherCnpj })
      yield* store.recordUnmatched(unmatched)
      const { endToEndId } = unmatched
      const unknown = anUnmatchedPayment().endToEndId
      const found = yield* store.owners([settling, endToEndId.toUpperCase(), unknown, endToEndId.toLowerCase()])
      expect(new Map(found.map((one) => [one.endToEndId, one.issuer]))).toEqual(
        new Map([
          [settling.toLowerCase(), alphanumericCnpj],
          [endToEndId.toLowerCase(), anotherCnpj],
        ]),
      )
      expect(found).toHaveLength(2)
      expect(yield* store.owners([unknown])).toEqual([])
      expect(yield* store.owners([])).toEqual([])
    }))
}

import { ChargeStore, type IssuedId } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChargeId } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const issuers = (...asked: Parameters<ChargeStore["Service"]["issuers"]>) =>
  Effect.flatMap(ChargeStore, (store) => store.issuers(...asked))

const sortLines = (found: ReadonlyArray<IssuedId>) => found.map(({ issuer, id }) => `${issuer} ${id}`).toSorted()

export const issuerCases = ({ test }: StoreTests): void => {
  test("the issuers of ids are found among all companies, or for one", () =>
    Effect.gen(function* () {
      const [shared, own, unknown] = [aChargeId(), aChargeId(), aChargeId()]
      for (const issuer of [aCnpj, anotherCnpj]) yield* insertCharge({ issuer, id: shared })
      yield* insertPaid({ issuer: alphanumericCnpj, id: own })
      const ids = [shared, own, unknown, shared]
      expect(sortLines(yield* issuers(ids))).toEqual(
        [`${aCnpj} ${shared}`, `${anotherCnpj} ${shared}`, `${alphanumericCnpj} ${own}`].toSorted(),
      )
      expect(yield* issuers(ids, anotherCnpj)).toEqual([{ issuer: anotherCnpj, id: shared }])
      expect(yield* issuers([unknown])).toEqual([])
      expect(yield* issuers([])).toEqual([])
    }))
}

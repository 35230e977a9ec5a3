import { ChargeStore, type SeenCharge } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aChargeId } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import { commit, find, insertCharge, insertPaid, settleCharge } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const findChanged = (seen: ReadonlyArray<SeenCharge>) => Effect.flatMap(ChargeStore, (store) => store.changed(seen))

const toSeen = ({ issuer, id, version }: Charge): SeenCharge => ({ issuer, id, version })

const byId = (charges: ReadonlyArray<Charge>) => charges.toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const changedCases = ({ test }: StoreTests): void => {
  test("of many companies' charges, those that moved since are returned as they are found", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      const all: Array<Charge> = []
      for (let at = 0; at < 30; at++) all.push(yield* insertCharge({ issuer: issuers[at % 3] ?? aCnpj }))
      expect(yield* findChanged(all.map(toSeen))).toEqual([])
      const moved = all.filter((_, at) => at % 7 === 0)
      const paid: Array<Charge> = []
      for (const charge of moved) if (charge._tag === "Pending") paid.push(yield* settleCharge(charge))
      const found = yield* findChanged(all.map(toSeen))
      expect(byId(found)).toEqual(byId(paid))
      for (const charge of found) expect(yield* find(charge)).toEqual(charge)
      expect(yield* findChanged(found.map(toSeen))).toEqual([])
    }))

  test("a charge that was not seen yet is returned, and one that doesn't exist is not", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      expect(yield* findChanged([{ ...toSeen(charge), version: 0 }])).toEqual([charge])
      expect(yield* findChanged([{ issuer: aCnpj, id: aChargeId(), version: 0 }])).toEqual([])
      expect(yield* findChanged([{ ...toSeen(charge), issuer: anotherCnpj, version: 0 }])).toEqual([])
      expect(yield* findChanged([])).toEqual([])
    }))

  test("a return recorded without a move changes the charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const returned = aReturn(charge.payment, { kind: "outside" })
      yield* commit(aChange(charge, { returns: [returned] }))
      expect(yield* findChanged([toSeen(charge)])).toEqual([
        { ...charge, version: charge.version + 1, returns: [returned] },
      ])
    }))
}

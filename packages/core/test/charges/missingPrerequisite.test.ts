import { PixCharges } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { aPaidOne, aRequest, issue, registerCompany, scenario, failureTag } from "../World.ts"

describe("a company that lost its wallet", () => {
  scenario("can't issue charges, but still sees and refunds its old charges", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const paid = yield* aPaidOne(world)
      yield* registerCompany({ walletActive: false })
      expect(yield* failureTag(issue(aRequest()))).toBe("IssuerNotEligible")
      expect(yield* charges.find(paid.issuer, paid.id)).toEqual(paid)
      expect(yield* charges.refund(paid.issuer, paid.id)).toMatchObject({ _tag: "Refunded" })
    }),
  )
})

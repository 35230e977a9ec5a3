import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { describe, expect, it } from "vitest"
import { finalRules, type SeenCompany } from "../../src/judge/finalRules.ts"

const issuer = "11222333000181" as Cnpj
const [paidAt, amountCents, endToEndId] = [5_000, 100 as Cents, "E1"]
const payment = { issuer, endToEndId, amountCents, paidAt, recordedAt: paidAt, late: false, otherAmount: false }
const returned = { issuer, endToEndId, id: "D1", kind: "outside", amountCents, returnedAt: paidAt } as const
const openException: PaymentException = {
  payment,
  reason: "unmatched",
  state: { _tag: "Open" },
  version: 1,
  returns: [returned],
}

/**
 * Finds violations for an open exception with a returned payment; `createdAt` is of the company's only charge, if any.
 */
const findViolations = (createdAt?: number): ReadonlyArray<string> => {
  const charges =
    createdAt === undefined ? [] : [{ _tag: "Cancelled", id: "c", txid: "c", createdAt } as unknown as Charge]
  const seen: Partial<SeenCompany> = { charges, payments: [payment], exceptions: [openException] }
  return finalRules.stateFollowsFromMoney?.(seen as SeenCompany) ?? []
}

describe("an exception that is open though its payment is back", () => {
  it("stands in a list that is compared with the bank's, and is wrong", () => {
    expect(findViolations(paidAt)).toEqual(["exception E1 is Open, and all went back"])
  })

  it.each([
    ["was paid before the company's first charge", paidAt + 1],
    ["is of a company without charges", undefined],
  ])("is looked at by nobody where it %s", (_, createdAt) => {
    expect(findViolations(createdAt)).toEqual([])
  })
})

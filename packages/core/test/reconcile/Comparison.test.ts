import type { ComparedPayment } from "@pixcharge/core/internal"
import { aCnpj, cents } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { toComparison } from "../../src/services/reconcile/Comparison.ts"

const row = (
  endToEndId: string,
  paidAt: number,
  differences: ComparedPayment["differences"] = [],
): ComparedPayment => ({
  endToEndId,
  differences,
  bank: { amountCents: cents(1), paidAt, returnedCents: 0 },
})

it("sorts rows by difference, then age, then id", () => {
  const rows = [
    row("E5", 2, ["otherAmount"]),
    row("E2", 3, ["missingInBooks"]),
    row("E3", 3, ["missingInBooks"]),
    row("E1", 1),
    row("E4", 1),
  ]
  for (const given of [rows, rows.toReversed(), rows.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))])
    expect(toComparison(given, { unreadable: 1, others: [] })).toEqual({
      rows,
      differences: 3,
      matches: 2,
      unreadable: 1,
      others: [],
    })
})

it("lists another company's payments oldest first, without payer data", () => {
  const other = (endToEndId: string, at: number) => ({
    issuer: aCnpj,
    endToEndId,
    txid: "f".repeat(35),
    amountCents: cents(1990),
    paidAt: at,
    pixKey: "outra@example.com",
    returns: [
      { issuer: aCnpj, id: "D1", endToEndId, kind: "outside" as const, amountCents: cents(90), returnedAt: at },
    ],
  })
  const { others } = toComparison([], { unreadable: 0, others: [other("E3", 2), other("E2", 1), other("E1", 2)] })
  const listed = { txid: "f".repeat(35), amountCents: 1990, returnedCents: 90 }
  expect(others).toEqual([
    { ...listed, endToEndId: "E2", paidAt: 1 },
    { ...listed, endToEndId: "E1", paidAt: 2 },
    { ...listed, endToEndId: "E3", paidAt: 2 },
  ])
})

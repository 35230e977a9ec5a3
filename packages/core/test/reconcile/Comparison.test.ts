import type { ComparedPayment } from "@pixcharge/core/internal"
import { cents } from "@pixcharge/testkit/fixtures"
import { expect, it } from "vitest"
import { toComparison } from "../../src/reconcile/Comparison.ts"

const row = (
  endToEndId: string,
  paidAt: number,
  differences: ComparedPayment["differences"] = [],
): ComparedPayment => ({
  endToEndId,
  differences,
  bank: { amountCents: cents(1), paidAt, returnedCents: 0 },
})

it("the rows that differ come first, then the oldest, and those of one moment by their ids", () => {
  const rows = [
    row("E5", 2, ["otherAmount"]),
    row("E2", 3, ["missingInBooks"]),
    row("E3", 3, ["missingInBooks"]),
    row("E1", 1),
    row("E4", 1),
  ]
  for (const given of [rows, rows.toReversed(), rows.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))])
    expect(toComparison(given, { unreadable: 1, others: 2 })).toEqual({
      rows,
      differences: 3,
      matches: 2,
      unreadable: 1,
      others: 2,
    })
})

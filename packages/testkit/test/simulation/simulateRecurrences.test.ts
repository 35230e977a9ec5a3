import { simulateRecurrences } from "@pixcharge/testkit/simulation"
import { expect, it } from "vitest"

it("months of recurrences are replayed exactly, and debit something", async () => {
  const [first, second] = [
    await simulateRecurrences({ seed: 1, days: 40 }),
    await simulateRecurrences({ seed: 1, days: 40 }),
  ]
  expect(second.traceHash).toBe(first.traceHash)
  expect(first.violations).toEqual([])
  expect(first.debits).toBeGreaterThan(0)
})

it("nothing is debited of what is never authorised", async () => {
  const plan = [{ atMs: 0, action: { do: "offer", recurrence: 1 } } as const]
  const { debits, violations } = await simulateRecurrences({ seed: 1, plan })
  expect({ debits, violations }).toEqual({ debits: 0, violations: [] })
})

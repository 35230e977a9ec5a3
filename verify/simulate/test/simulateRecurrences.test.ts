import { expect, it } from "vitest"
import { simulateRecurrences } from "../index.ts"

it("replays months of recurrences exactly, with debits", async () => {
  const [first, second] = [
    await simulateRecurrences({ seed: 1, days: 40 }),
    await simulateRecurrences({ seed: 1, days: 40 }),
  ]
  expect(second.traceHash).toBe(first.traceHash)
  expect(first.violations).toEqual([])
  expect(first.debits).toBeGreaterThan(0)
})

it("debits no recurrence without authorisation", async () => {
  const plan = [{ atMs: 0, action: { do: "offer", recurrence: 1 } } as const]
  const { debits, violations } = await simulateRecurrences({ seed: 1, plan })
  expect({ debits, violations }).toEqual({ debits: 0, violations: [] })
})

it("skips a cycle without cost after a restore to before its charge", async () => {
  const [hourMs, dayMs] = [3_600_000, 24 * 3_600_000]
  // A varying amount, authorised by code. Its first window opens on Monday 24 August 2026 at 09:00, 165 hours after the start.
  const opensAt = 165 * hourMs
  const plan = [
    { atMs: 0, action: { do: "offer", recurrence: 1 } },
    { atMs: 2 * hourMs, action: { do: "approve", recurrence: 1 } },
    { atMs: opensAt + hourMs, action: { do: "charge", recurrence: 1, amountCents: 3_000 } },
    { atMs: opensAt + 4 * hourMs, action: { do: "setBack", ms: 3.5 * hourMs } },
    { atMs: opensAt + 4 * hourMs + 60_000, action: { do: "skip", recurrence: 1 } },
    { atMs: opensAt + 14 * dayMs, action: { do: "kill", host: 0 } },
  ] as const
  const { debits, violations, history } = await simulateRecurrences({ seed: 35, plan })
  expect({ debits, violations }).toEqual({ debits: 0, violations: [] })
  expect(history.some((line) => line.endsWith("says to skip recurrence 1, cycle 1: Approved"))).toBe(true)
})

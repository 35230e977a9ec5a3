import type { ClaimedReconciliation, PaymentPage } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { describe, expect, it } from "vitest"
import { Comparisons } from "../../judge/Comparisons.ts"

const issuer = "11222333000181" as Cnpj
const dayMs = 86_400_000
const start = 100 * dayMs
const since = start - 20 * dayMs

interface Turn {
  readonly before: number
  readonly until: number
  readonly from: number
  readonly unreadable?: number
  readonly failingSince?: number
}

const judgeTurn = (comparisons: Comparisons, { before, until, from, unreadable = 0, ...failing }: Turn) => {
  const claimed = { issuer, since, leaseToken: "1", returnsDueAt: until, reconciledUntil: before, ...failing }
  const call = { port: "reconciliations", caller: "h" }
  const judge = (method: string, args: ReadonlyArray<unknown>, answer: unknown) =>
    comparisons.judgeCall({ ...call, method, args, answer }, new Map([[issuer, "1"]]), until)
  judge("claim", [{ now: until, leaseMs: 1 }], claimed as ClaimedReconciliation)
  comparisons.read(issuer, { from, until }, undefined, { items: [], unreadable } satisfies PaymentPage)
  const saved = { ...claimed, reconciledUntil: until }
  return judge("save", [saved, { _tag: "Release", nextAt: until }], true).map(({ rule }) => rule)
}

describe("a list with unreadable entries", () => {
  const judgeBoth = (failingDays: number) => {
    const comparisons = new Comparisons()
    const failingSince = start - failingDays * dayMs
    return [
      judgeTurn(comparisons, { before: start - 10 * dayMs, until: start, from: since, unreadable: 1, failingSince }),
      // Reaches back for two days, because the first list is expected to have the days before.
      judgeTurn(comparisons, { before: start, until: start + dayMs, from: start - 1.5 * dayMs }),
    ]
  }

  it("counts only after eight days with them, also for later turns", () => {
    expect(judgeBoth(9)).toEqual([[], []])
    for (const broken of judgeBoth(7)) expect(broken).toContain("comparedMeansRecorded")
  })
})

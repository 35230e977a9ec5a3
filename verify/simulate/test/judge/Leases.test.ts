import type { QueueLease, Settlement } from "@pixcharge/core"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"
import { Leases } from "../../judge/Leases.ts"

const queue = { issuer: cnpj("11222333000181"), endpointId: "loja" }
const key = { ...queue, eventId: "e" }
const lease = (token: string): QueueLease => ({ ...queue, token })
const settlement = (token: string, number = 1) => ({ lease: lease(token), eventId: "e", number }) as Settlement

const judgeBatch = (given: ReadonlyArray<Settlement>, counted: ReadonlyArray<typeof key>) => {
  const leases = new Leases()
  const claim = (token: string, by: string, now: number) => {
    const answer = { queues: [{ lease: lease(token), due: [] }] }
    leases.judgeCall({ port: "outbox", method: "claim", args: [{ leaseMs: 10 }], answer }, leases.last, by, now)
  }
  claim("lost", "a", 0)
  claim("held", "b", 20)
  return leases.judgeCall({ port: "outbox", method: "settle", args: [given], answer: counted }, leases.last, "b", 21)
}

describe("a batch with a settlement under a lost lease and one under the queue's lease", () => {
  const both = [settlement("lost"), settlement("held")]

  it("is right if one counts", () => {
    expect(judgeBatch(both, [key])).toEqual([])
  })

  it("is wrong if both count", () => {
    expect(judgeBatch(both, [key, key])).toEqual([
      expect.stringContaining("which another process had claimed"),
      expect.stringContaining("attempt 1 of e counted"),
    ])
  })
})

it("a settlement is wrong if it counts under a lost lease, or out of order", () => {
  expect(judgeBatch([settlement("lost")], [key])).toHaveLength(1)
  expect(judgeBatch([settlement("held"), settlement("held", 3)], [key, key])).toEqual([
    expect.stringContaining("attempt 3 of e counted"),
  ])
})

import { type Settlement, storableSettlement } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { describe, expect, it } from "vitest"

const now = 1_800_000_000_000
const lease = { issuer: "12345678000195" as Cnpj, endpointId: "a", token: "1" }
const makeSettlement = (fate: Settlement["fate"], attempt: Settlement["attempt"]): Settlement => ({
  lease,
  eventId: "evt_1",
  number: 1,
  fate,
  attempt,
})
const storable = (fate: Settlement["fate"], attempt: Partial<Settlement["attempt"]> = {}) =>
  storableSettlement(makeSettlement(fate, { startedAt: 1, latencyMs: 2, ...attempt }), now)

const delivered = { _tag: "Delivered" } as const
const deadFate = (reason: string) => ({ _tag: "Dead", reason }) as const

describe("storableSettlement", () => {
  it("keeps a storable settlement unchanged", () => {
    for (const fate of [delivered, deadFate("HTTP 500"), { _tag: "Retry", at: 5 } as const]) {
      const attempt = { startedAt: 1, latencyMs: 0.5, status: 2 ** 31 - 1, error: "HTTP 500", answer: "ok" }
      expect(storableSettlement(makeSettlement(fate, attempt), now)).toStrictEqual(makeSettlement(fate, attempt))
    }
  })

  it("replaces or drops every time, duration, status and text that no store can keep", () => {
    for (const odd of [Number.NaN, Infinity, -8.64e15]) {
      expect(storable({ _tag: "Retry", at: odd }).fate).toEqual({ _tag: "Retry", at: now })
      expect(storable(delivered, { startedAt: odd }).attempt).toStrictEqual({ startedAt: now, latencyMs: 2 })
    }
    expect(storable(delivered, { latencyMs: Number.NaN }).attempt.latencyMs).toBe(0)
    for (const status of [2 ** 31, 0.5]) expect(storable(delivered, { status }).attempt).not.toHaveProperty("status")
    expect(storable(deadFate("a\0")).fate).toEqual(deadFate("a\ufffd"))
    expect(storable(delivered, { error: "a\0", answer: "b\0" }).attempt).toMatchObject({
      error: "a\ufffd",
      answer: "b\ufffd",
    })
  })
})

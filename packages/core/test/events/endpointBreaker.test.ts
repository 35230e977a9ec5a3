import type { DeliveryOutcome } from "@pixcharge/core"
import { closedBreaker } from "@pixcharge/core/internal"
import { describe, expect, it } from "vitest"
import { afterOutcome, isFailure } from "../../src/services/events/EndpointState.ts"

const refused = (status?: number, retryAfterMs?: number): DeliveryOutcome => ({
  _tag: "Retry",
  reason: "x",
  ...(status !== undefined && { status }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

describe("an endpoint's breaker", () => {
  it.each([undefined, 408, 429, 500, 503, 599])("counts the status %s as a failure", (status) => {
    expect(isFailure(refused(status))).toBe(true)
  })

  it.each([200, 400, 404, 407, 409, 428, 430, 499])("closes after the status %i", (status) => {
    expect(isFailure(refused(status))).toBe(false)
    expect(afterOutcome({ failures: 9, coolDownUntil: 1 }, refused(status, 9_000), 5)).toEqual(closedBreaker)
  })

  it("closes after a delivery and after a 410", () => {
    for (const _tag of ["Delivered", "Gone"] as const) {
      expect(afterOutcome({ failures: 9, coolDownUntil: 1 }, { _tag, status: 500 }, 5)).toEqual(closedBreaker)
    }
  })

  it("cools down for 5 s after five failures in a row, doubling up to a minute", () => {
    let breaker = closedBreaker
    let now = 1_000
    const coolDowns = Array.from({ length: 10 }, () => {
      breaker = afterOutcome(breaker, refused(500), now)
      const coolDownMs = Math.max(0, breaker.coolDownUntil - now)
      now += coolDownMs
      return coolDownMs
    })
    expect(coolDowns).toEqual([0, 0, 0, 0, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  })

  it.each([
    [429, 30_000, 31_000],
    [503, 30_000, 31_000],
    [503, 60_001, 61_000],
    [429, undefined, 0],
    [500, 30_000, 0],
    [428, 30_000, 0],
    [504, 30_000, 0],
  ])("after status %i with Retry-After %s ms, cools down until %i ms", (status, retryAfterMs, coolDownUntil) => {
    expect(afterOutcome(closedBreaker, refused(status, retryAfterMs), 1_000).coolDownUntil).toBe(coolDownUntil)
  })
})

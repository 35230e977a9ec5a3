import { describe, expect, it } from "vitest"
import { afterAttempt, initialLimit } from "../../src/runtime/breaker.ts"

const limit = (atOnce: number, bestLatencyMs = 10) => ({ atOnce, bestLatencyMs })
const answer = (latencyMs: number, isFull = true) => ({ hasFailed: false, latencyMs, isFull })

describe("an endpoint's concurrency limit", () => {
  it("is four at first, and takes the first latency as the best", () => {
    expect(initialLimit.atOnce).toBe(4)
    expect(afterAttempt(initialLimit, answer(300))).toEqual(limit(4.25, 300))
    expect(afterAttempt(initialLimit, answer(300, false))).toEqual(limit(4, 300))
  })

  it.each([
    ["grows by a share while the limit is reached and answers are quick", 8, answer(10), 8.125],
    ["stays while the limit is not reached", 8, answer(10, false), 8],
    ["still grows at twice the best latency and 5 ms", 8, answer(25), 8.125],
    ["stays above twice the best latency and 5 ms", 8, answer(25.1), 8],
    ["stays up to four times the best latency and 5 ms", 8, answer(45), 8],
    ["shrinks by a share above four times the best latency and 5 ms", 8, answer(45.3), 7.875],
    ["shrinks by the same share while the limit is not reached", 8, answer(45.3, false), 7.875],
    ["is never below four", 4, answer(100), 4],
    ["is never above 64", 64, answer(10), 64],
    ["is halved by a failure, even by a quick failure", 20, { hasFailed: true, latencyMs: 1, isFull: true }, 10],
    ["is never below four after a failure", 7, { hasFailed: true, latencyMs: 1, isFull: true }, 4],
  ])("%s", (_, atOnce, attempt, expected) => {
    expect(afterAttempt(limit(atOnce), attempt).atOnce).toBe(expected)
  })

  it("raises the best latency by a thousandth of the difference to a slower answer", () => {
    expect(afterAttempt(limit(8), answer(5)).bestLatencyMs).toBe(5)
    expect(afterAttempt(limit(8), answer(1_010)).bestLatencyMs).toBeCloseTo(11)
    expect(afterAttempt(limit(8), { hasFailed: true, latencyMs: 1, isFull: true }).bestLatencyMs).toBe(10)
  })
})

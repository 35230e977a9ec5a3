import { makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { Latencies } from "../../Latencies.ts"
import { openLoop } from "../../openLoop.ts"

const rate = 200
const lengthMs = 10_000
const workMs = 1
const stall = { from: 5_000, until: 6_000 }

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }))
afterEach(() => vi.useRealTimers())

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => pause(ms) }))

/** A server that takes 1 ms per request and stalls once for a second. */
const serve = async (): Promise<void> => {
  const now = performance.now()
  if (now >= stall.from && now < stall.until) await pause(stall.until - now)
  await pause(workMs)
}

it("shows a stall of a second in p99 if requests are due independently", async () => {
  const latencies = new Latencies()
  const requests: Array<Promise<void>> = []
  const loop = openLoop({ rate, from: 0, until: lengthMs, random: makeSeededRandom(1).next }, (dueAt) => {
    requests.push(serve().then(() => latencies.record("issue", dueAt)))
  })
  await vi.advanceTimersByTimeAsync(lengthMs + 1_000)
  await loop
  await Promise.all(requests)
  expect(requests.length).toBeGreaterThan(0.9 * rate * (lengthMs / 1_000))
  expect(latencies.readMeasured().all.issue.p99).toBeGreaterThan(850)
})

it("measures each request from the time when it was due, even if the sender stalls", async () => {
  const lateMs: Array<number> = []
  const loop = openLoop({ rate, from: 0, until: lengthMs, random: makeSeededRandom(1).next }, (dueAt) => {
    lateMs.push(performance.now() - dueAt)
    // Stalls for a second.
    if (lateMs.length === 100) vi.advanceTimersByTime(1_000)
  })
  await vi.advanceTimersByTimeAsync(lengthMs)
  await loop
  const stalled = lateMs.filter((ms) => ms > 10)
  expect(stalled.length).toBeGreaterThan(0.8 * rate)
  expect(Math.max(...stalled)).toBeGreaterThan(980)
})

import { getEventListeners } from "node:events"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { pollDelayMs, retryDelayMs } from "../src/delays.ts"
import { sleep, rejectOnAbort } from "../src/sleep.ts"

describe("a wait", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it("leaves no timer after an abort", async () => {
    const controller = new AbortController()
    const waiting = sleep(60_000, controller.signal)
    controller.abort("enough")
    await expect(waiting).rejects.toBe("enough")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("doesn't begin if the signal is aborted", async () => {
    const signal = AbortSignal.abort("too late")
    await expect(sleep(60_000, signal)).rejects.toBe("too late")
    expect(vi.getTimerCount()).toBe(0)
    await expect(rejectOnAbort(new Promise(() => undefined), signal)).rejects.toBe("too late")
  })

  it("leaves no listener on a signal that isn't aborted", async () => {
    const { signal } = new AbortController()
    const waiting = sleep(1_000, signal)
    await vi.advanceTimersByTimeAsync(1_000)
    await waiting
    expect(await rejectOnAbort(Promise.resolve("done"), signal)).toBe("done")
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("doubles between attempts from 250 ms to 8 s, half of it random", () => {
    expect([0, 1, 2, 9].map((attempt) => retryDelayMs(attempt, 1))).toEqual([250, 500, 1_000, 8_000])
    expect(retryDelayMs(2, 0)).toBe(500)
  })

  it("grows between queries from a second to 30 s, an eighth of the elapsed time", () => {
    expect([0, 8_000, 80_000, 240_000, 86_400_000].map((elapsed) => pollDelayMs(elapsed, 0.5))).toEqual([
      1_000, 1_000, 10_000, 30_000, 30_000,
    ])
    expect([pollDelayMs(80_000, 0), pollDelayMs(80_000, 1)]).toEqual([9_500, 10_500])
  })
})

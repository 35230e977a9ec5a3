import { onTestFinished, vi } from "vitest"

/** Stops, until the test has finished, the clock by which this process waits: `pass` moves it. */
export const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] })
  // Effect reads the monotonic time here.
  const hrtime = vi.spyOn(process.hrtime, "bigint")
  hrtime.mockImplementation(() => BigInt(Math.round(performance.now() * 1_000_000)))
  onTestFinished(() => {
    hrtime.mockRestore()
    vi.useRealTimers()
  })
}

import { onTestFinished, vi } from "vitest"

/** Stops this process's timers and clock until the test has finished; `pass` moves them. */
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

import { afterEach, describe, expect, it, vi } from "vitest"
import { copyText } from "../src/element/buttons.ts"
import { ServerClock } from "../src/element/ServerClock.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe("ServerClock", () => {
  it("advances with the device's monotonic clock even if the date is wrong", () => {
    vi.useFakeTimers({ now: 1_000_000 })
    vi.advanceTimersByTime(500)
    const clock = new ServerClock()
    clock.set(5_000)
    expect([clock.now(), clock.isStale()]).toEqual([5_000, false])
    vi.advanceTimersByTime(60_000)
    expect([clock.now(), clock.isStale()]).toEqual([65_000, false])
  })

  it.each([
    [2_000, false],
    [-2_000, false],
    [2_001, true],
    [-2_001, true],
  ])("is stale after the date jumped by more than two seconds: %i ms", (ms, isStale) => {
    vi.useFakeTimers({ now: 1_000_000 })
    vi.advanceTimersByTime(500)
    const clock = new ServerClock()
    clock.set(5_000)
    vi.setSystemTime(Date.now() + ms)
    expect([clock.now(), clock.isStale()]).toEqual([5_000, isStale])
    clock.set(5_000)
    expect(clock.isStale()).toBe(false)
  })
})

const page = (command: () => boolean) => {
  const done: Array<string> = []
  const field = { value: "000201", focus: () => void done.push("focus"), select: () => void done.push("select") }
  vi.stubGlobal("document", { execCommand: (name: string) => (done.push(name), command()) })
  return { done, field: field as Parameters<typeof copyText>[0] }
}

describe("copyText", () => {
  it.each([
    ["copied", async () => undefined, true, []],
    [
      "copied by the old command if the browser refuses the clipboard",
      () => Promise.reject(new Error("no")),
      true,
      ["focus", "select", "copy"],
    ],
  ])("reports that the code was %s", async (_, write, isCopied, expected) => {
    const writeText = vi.fn<(text: string) => Promise<void>>(write)
    vi.stubGlobal("navigator", { clipboard: { writeText } })
    const { done, field } = page(() => true)
    expect(await copyText(field)).toBe(isCopied)
    expect([writeText.mock.calls, done]).toEqual([[["000201"]], expected])
  })

  it.each([
    ["works", () => true, true],
    ["returns false", () => false, false],
    [
      "throws",
      () => {
        throw new Error("no")
      },
      false,
    ],
  ])(
    "without a secure context, selects the code, and reports a copy only if the old command works: it %s",
    async (_, command, isCopied) => {
      vi.stubGlobal("navigator", {})
      const { done, field } = page(command)
      expect(await copyText(field)).toBe(isCopied)
      expect(done).toEqual(["focus", "select", "copy"])
    },
  )
})

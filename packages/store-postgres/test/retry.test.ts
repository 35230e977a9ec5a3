import { afterEach, expect, it, vi } from "vitest"
import { retry } from "../src/database/retry.ts"
import { SqlFailure } from "../src/database/SqlFailure.ts"

const undone = new SqlFailure({ kind: "undone", sqlState: "40001", message: "could not serialize access" })
const sendings = { repeatable: false, forMs: 60_000, isRepeated: false }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** When each sending of a statement that is undone every time began, in milliseconds. */
const sentAt = async (random: number): Promise<ReadonlyArray<number>> => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] })
  vi.spyOn(Math, "random").mockReturnValue(random)
  const begun: Array<number> = []
  const startedAt = performance.now()
  const retried = retry(async () => {
    begun.push(Math.round(performance.now() - startedAt))
    throw undone
  }, sendings)
  const failed = expect(retried).rejects.toBe(undone)
  // Not until no timer is left: what a file before this one has left behind may go on setting some.
  await vi.advanceTimersByTimeAsync(1_000)
  await failed
  return begun
}

it("each pause before a statement is sent again is twice the one before", async () => {
  expect(await sentAt(0.5)).toEqual([0, 20, 60, 140, 300, 620])
})

it("half of a pause is random", async () => {
  expect(await sentAt(0)).toEqual([0, 10, 30, 70, 150, 310])
})

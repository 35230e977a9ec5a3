import { afterEach, expect, it, vi } from "vitest"
import { afterLost, isOutOfReach, isSentOneByOne, retry } from "../src/sql/retry.ts"
import { SqlFailure } from "../src/sql/SqlFailure.ts"

const undone = new SqlFailure({ kind: "undone", sqlState: "40001", message: "could not serialize access" })
const sendings = { repeatable: false, forMs: 60_000, isRepeated: false }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Returns the start of each sending of a statement that is always undone, in milliseconds. */
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
  // Doesn't wait for all timers, because earlier files can leave timers that set new timers.
  await vi.advanceTimersByTimeAsync(1_000)
  await failed
  return begun
}

it("doubles the delay before each retry", async () => {
  expect(await sentAt(0.5)).toEqual([0, 20, 60, 140, 300, 620])
})

it("varies a delay at random between half and one and a half times its length", async () => {
  expect(await sentAt(0)).toEqual([0, 10, 30, 70, 150, 310])
})

const kinds = ["unsent", "undone", "blocked", "badValue", "unnamed", "refused", "lost", "unreplicated"] as const
const makeFailure = (kind: (typeof kinds)[number]) => new SqlFailure({ kind, sqlState: "1", message: kind })

/** The outcome of a statement whose first sending fails, by the kind of failure. */
const outcomes = async (repeatable: boolean, more: object = {}) => {
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((later: () => void) => void queueMicrotask(later)) as never)
  const ends: Record<string, unknown> = {}
  for (const kind of kinds) {
    let sent = 0
    const send = async () => {
      if (++sent === 1) throw makeFailure(kind)
      return sent
    }
    ends[kind] = await retry(send, { ...sendings, repeatable, ...more }).catch((error: SqlFailure) => error.kind)
  }
  return ends
}

it("retries a statement that wasn't executed, and a repeatable statement after a lost answer", async () => {
  const again = { answer: 2, repeated: false }
  const failed = { blocked: "blocked", badValue: "badValue", refused: "refused", unreplicated: "unreplicated" }
  const once = { unsent: again, undone: again, unnamed: again, ...failed }
  expect(await outcomes(false)).toEqual({ ...once, lost: "lost" })
  expect(await outcomes(true)).toEqual({ ...once, lost: { answer: 2, repeated: true } })
})

it("fails as lost after a lost answer, unless a retry succeeds", async () => {
  const ends = await outcomes(true, { isRepeated: true })
  expect(ends).toMatchObject({
    blocked: "lost",
    refused: "lost",
    unreplicated: "unreplicated",
    lost: { repeated: true },
  })
  expect(afterLost(makeFailure("refused"))).toMatchObject({ kind: "lost", sqlState: "1", message: "refused" })
})

it("stops retrying when no caller waits or the time is over", async () => {
  const over = AbortSignal.abort()
  expect(await outcomes(true, { signal: over })).toMatchObject({ unsent: "unsent", undone: "undone", lost: "lost" })
  expect(await outcomes(true, { forMs: 0 })).toMatchObject({ unsent: "unsent", undone: "undone", lost: "lost" })
})

it("sends a batch's calls one by one after a single row has made the batch fail", () => {
  const oneByOne = (calls: number) => kinds.filter((kind) => isSentOneByOne(makeFailure(kind), calls))
  expect([oneByOne(1), oneByOne(2)]).toEqual([["blocked"], ["blocked", "badValue"]])
})

it("drops the rest of a batch while the database is out of reach", () => {
  expect(kinds.filter((kind) => isOutOfReach(makeFailure(kind)))).toEqual(["unsent", "lost"])
})

import { expect, it } from "vitest"
import { readUpTo } from "../../src/runtime/exchange.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (read: Uint8Array): string => new TextDecoder().decode(read)

/** A stream of these chunks that records reads and cancellation. */
const makeStream = (...chunks: ReadonlyArray<string>) => {
  const seen = { taken: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = chunks[seen.taken++]
        if (chunk === undefined) controller.close()
        else controller.enqueue(bytes(chunk))
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

it.each([
  [[], ""],
  [["a"], "a"],
  [["ab", "", "c", "def"], "abcdef"],
])("reads %j whole at a limit of exactly its length", async (chunks, whole) => {
  const read = await readUpTo(makeStream(...chunks).body, whole.length)
  expect({ ...read, bytes: text(read.bytes) }).toEqual({ bytes: whole, isWhole: true })
})

it("returns a single chunk without a copy", async () => {
  const chunk = bytes("abc")
  const read = await readUpTo(ReadableStream.from([chunk]), 3)
  expect(read.bytes).toBe(chunk)
})

it("reads an empty body", async () => {
  expect(await readUpTo(null, 0)).toEqual({ bytes: new Uint8Array(0), isWhole: true })
})

it("stops at the limit, and cancels the rest", async () => {
  const { body, seen } = makeStream("ab", "cd", "ef", "gh")
  const read = await readUpTo(body, 3)
  expect({ ...read, bytes: text(read.bytes) }).toEqual({ bytes: "abcd", isWhole: false })
  expect(seen).toEqual({ taken: 2, isCancelled: true })
})

it("continues after a chunk that exactly reaches the limit", async () => {
  expect(await readUpTo(makeStream("ab", "c").body, 2)).toMatchObject({ isWhole: false })
})

it.each([
  [300, 1, false],
  [256, 1, true],
  [0, 1, true],
  [20_000, 64, true],
  [600, 32, false],
  [500, 32, true],
])("reads a body in %i pieces of %i bytes whole: %j", async (count, size, isWhole) => {
  const { body, seen } = makeStream(...Array.from({ length: count }, () => "x".repeat(size)))
  expect((await readUpTo(body, 10_000_000)).isWhole).toBe(isWhole)
  expect(seen.isCancelled).toBe(!isWhole)
})

it("rejects with the error of a body that breaks off", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) })
  await expect(readUpTo(body, 10)).rejects.toThrow("gone")
})

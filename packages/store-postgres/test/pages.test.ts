import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { readPage } from "../src/database/pages.ts"

const numbers = { fromRow: () => 1, position: (): [number] => [1], texts: [] }

const encodeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString("base64url")

it.each([
  "nenhuma",
  "",
  encodeCursor(null),
  encodeCursor(["another list", 1]),
  encodeCursor(["list"]),
  encodeCursor(["list", "1"]),
  encodeCursor(["list", 1e300]),
  encodeCursor(["list", 1, "a text more"]),
  encodeCursor({ 0: "list", 1: 1 }),
])("a cursor that comes from no page is refused, and nothing is read: %s", async (cursor) => {
  const reading = readPage("list", numbers, { limit: 1, cursor }, () => Promise.reject(new Error("read")))
  expect(await Effect.runPromise(Effect.flip(reading))).toMatchObject({ _tag: "InvalidFilter", field: "cursor" })
})

const named = { ...numbers, texts: [(text: string) => text !== "odd"] }

it("a page begins where its cursor says, in a list of moments and of texts that a statement takes", async () => {
  const after: Array<unknown> = []
  const read = (cursor: string) =>
    Effect.runPromise(
      Effect.result(
        readPage(
          "list",
          named,
          { limit: 1, cursor },
          async (from) => (after.push(from), { rows: [], repeated: false }),
        ),
      ),
    )
  expect(await read(encodeCursor(["list", 1.5, "a"]))).toMatchObject({ _tag: "Success", success: { items: [] } })
  for (const texts of [["odd"], [7], [], ["a", "b"], ["a", 7], [7, "a"]])
    expect(await read(encodeCursor(["list", 1.5, ...texts]))).toMatchObject({ _tag: "Failure" })
  expect(after).toEqual([[1.5, "a"]])
})

it("a page has a cursor only if there is more than it shows", async () => {
  const read = (count: number) =>
    Effect.runPromise(
      readPage("list", numbers, { limit: 2 }, async (_, limit) => {
        expect(limit).toBe(3)
        return { rows: Array.from({ length: count }, () => ({})), repeated: false }
      }),
    )
  expect(await read(2)).toEqual({ items: [1, 1] })
  expect(await read(3)).toEqual({ items: [1, 1], cursor: encodeCursor(["list", 1]) })
})

import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { readPage } from "../src/sql/pages.ts"

const numbers = { fromRow: () => 1, position: (): [number] => [1], textChecks: [] }

const encodeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString("base64url")

for (const cursor of [
  "nenhuma",
  "",
  encodeCursor(null),
  encodeCursor(["another list", 1]),
  encodeCursor(["list"]),
  encodeCursor(["list", "1"]),
  encodeCursor(["list", 1e300]),
  encodeCursor(["list", 1, "a text more"]),
  encodeCursor({ 0: "list", 1: 1 }),
]) {
  it.effect(`an invalid cursor is refused before any read: ${cursor}`, () =>
    Effect.gen(function* () {
      const reading = readPage("list", numbers, { limit: 1, cursor }, () => Promise.reject(new Error("read")))
      expect(yield* Effect.flip(reading)).toMatchObject({ _tag: "InvalidFilter", field: "cursor" })
    }),
  )
}

const named = { ...numbers, textChecks: [(text: string) => text !== "odd"] }

it.effect("a page begins at the position in its cursor", () =>
  Effect.gen(function* () {
    const after: Array<unknown> = []
    const read = (cursor: string) =>
      Effect.result(
        readPage(
          "list",
          named,
          { limit: 1, cursor },
          async (from) => (after.push(from), { rows: [], repeated: false }),
        ),
      )
    expect(yield* read(encodeCursor(["list", 1.5, "a"]))).toMatchObject({ _tag: "Success", success: { items: [] } })
    for (const texts of [["odd"], [7], [], ["a", "b"], ["a", 7], [7, "a"]])
      expect(yield* read(encodeCursor(["list", 1.5, ...texts]))).toMatchObject({ _tag: "Failure" })
    expect(after).toEqual([[1.5, "a"]])
  }),
)

it.effect("a page has a cursor only if another page follows", () =>
  Effect.gen(function* () {
    const read = (count: number) =>
      readPage("list", numbers, { limit: 2 }, async (_, limit) => {
        expect(limit).toBe(3)
        return { rows: Array.from({ length: count }, () => ({})), repeated: false }
      })
    expect(yield* read(2)).toEqual({ items: [1, 1] })
    expect(yield* read(3)).toEqual({ items: [1, 1], cursor: encodeCursor(["list", 1]) })
  }),
)

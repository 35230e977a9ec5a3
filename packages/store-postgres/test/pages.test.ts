import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { readPage } from "../src/database/pages.ts"

const numbers = { fromRow: () => 1, position: (): [number] => [1], texts: [] }

const cursorOf = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString("base64url")

it.each([
  "nenhuma",
  "",
  cursorOf(null),
  cursorOf(["another list", 1]),
  cursorOf(["list"]),
  cursorOf(["list", "1"]),
  cursorOf(["list", 1e300]),
  cursorOf(["list", 1, "a text more"]),
])("a cursor that comes from no page is refused, and nothing is read: %s", async (cursor) => {
  const reading = readPage("list", numbers, { limit: 1, cursor }, () => Promise.reject(new Error("read")))
  expect(await Effect.runPromise(Effect.flip(reading))).toMatchObject({ _tag: "InvalidFilter", field: "cursor" })
})

import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { readPage } from "../src/database/pages.ts"

const numbers = { fromRow: () => 1, position: (): [number] => [1], texts: 0 }

it("a cursor that comes from no page is refused, and nothing is read", async () => {
  const reading = readPage("list", numbers, { limit: 1, cursor: "nenhuma" }, () => Promise.reject(new Error("read")))
  expect(await Effect.runPromise(Effect.flip(reading))).toMatchObject({
    _tag: "StoreUnavailable",
    operation: "list",
    cause: { _tag: "SqlFailure", kind: "badValue", message: "the cursor comes from no page" },
  })
})

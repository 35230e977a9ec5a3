import * as Effect from "effect/Effect"
import { expect, it, vi } from "vitest"
import type { SendCalls } from "../src/database/Call.ts"
import { groupCommit } from "../src/database/groupCommit.ts"
import { SqlFailure } from "../src/database/SqlFailure.ts"

const failure = (kind: SqlFailure["kind"]) => new SqlFailure({ kind, sqlState: "", message: kind })

it("a database that goes out of reach while calls are sent one by one fails all that are left at once", async () => {
  const answerMs = 50
  const send = vi.fn<SendCalls<number, number>>(async (calls) => {
    if (calls.length > 1) throw failure("badValue")
    await new Promise((resume) => setTimeout(resume, answerMs))
    throw failure("lost")
  })
  const call = groupCommit("insert", send)
  const began = performance.now()
  const values = Array.from({ length: 100 }, (_, at) => at)
  const exits = await Effect.runPromise(
    Effect.forEach(values, (value) => Effect.exit(call(value)), { concurrency: "unbounded" }),
  )
  expect(exits.every(({ _tag }) => _tag === "Failure")).toBe(true)
  expect(performance.now() - began).toBeLessThan(5 * answerMs)
})

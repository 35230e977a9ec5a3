import { StoreUnavailable } from "@pixcharge/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { SqlFailure } from "../src/sql/SqlFailure.ts"
import { storeEffect } from "../src/sql/Database.ts"

const runToExit = (cause: unknown) => Effect.runPromiseExit(storeEffect("find", () => Promise.reject(cause)))

it("a statement's failure becomes StoreUnavailable, and any other error a defect", async () => {
  const cause = new SqlFailure({ kind: "lost", sqlState: "08006", message: "connection failure" })
  expect(await runToExit(cause)).toEqual(Exit.fail(new StoreUnavailable({ operation: "find", cause })))
  const unstorable = new SqlFailure({ kind: "badValue", sqlState: "22P05", message: "a value can't be stored" })
  expect(await runToExit(unstorable)).toEqual(
    Exit.fail(new StoreUnavailable({ operation: "find", cause: unstorable, isRefused: true })),
  )
  const mistake = new TypeError("rows is undefined")
  const exit = await runToExit(mistake)
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && Cause.squash(exit.cause)).toBe(mistake)
})

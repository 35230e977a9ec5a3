import { decodeBrCode } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

it("prints a code, sends the book once it is paid, and ends", async () => {
  const program = `${import.meta.dirname}/../dist/main.js`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program])
  const [brCode = "", ...sent] = stdout.trimEnd().split("\n")
  expect(Result.isSuccess(decodeBrCode(brCode))).toBe(true)
  expect({ sent, stderr }).toEqual({ sent: ["not yet", "sent"], stderr: "" })
})

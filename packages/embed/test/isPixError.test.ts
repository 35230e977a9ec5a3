import { ChargeConflict } from "@pixcharge/core"
import { parseChargeId } from "@pixcharge/core/charges"
import { parseCnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import { expect, it, vi } from "vitest"
import { isPixError } from "../src/PixError.ts"

const fields = {
  issuer: Result.getOrThrow(parseCnpj("12345678000195")),
  id: Result.getOrThrow(parseChargeId("7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c")),
}

it("recognises an error by its tag, from any copy of the package", async () => {
  vi.resetModules()
  const secondCopy = await import("@pixcharge/core")
  const error: unknown = new secondCopy.ChargeConflict(fields)
  expect(error).not.toBeInstanceOf(ChargeConflict)
  expect([isPixError(error), isPixError(error, "ChargeConflict"), isPixError(error, "ChargeExpired")]).toEqual([
    true,
    true,
    false,
  ])
  if (isPixError(error, "ChargeConflict")) expect(error.id).toBe(fields.id)
})

it.each([
  undefined,
  null,
  "ChargeConflict",
  new Error("ChargeConflict"),
  { _tag: "ChargeConflict", code: "PIX_CHARGE_CONFLICT" },
])("doesn't recognise %j", (value) => {
  expect([isPixError(value), isPixError(value, "ChargeConflict")]).toEqual([false, false])
})

it("narrows an error by its tag or its code, by types", () => {
  const error: unknown = new ChargeConflict(fields)
  if (!isPixError(error)) throw new Error("expected a PixError")
  const code: "PIX_CHARGE_CONFLICT" | false = error._tag === "ChargeConflict" && error.code
  expect(code).toBe("PIX_CHARGE_CONFLICT")
  expect(error.code === "PIX_CHARGE_CONFLICT" && error.id).toBe(fields.id)
})

import type { Credential } from "@pixcharge/core/directory"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"
import { expect, it } from "vitest"
import { makeCredentialMark } from "../src/tokens/Jwt.ts"

it("computes a credential's mark in the same way in every release, so tokens stay valid", () => {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
  const secret = hmac("signing secret", "pixcharge credential mark")
  const credential = { holder: "12345678000195", key: { _tag: "Plain", key: Redacted.make("k") } } as Credential
  const mark = makeCredentialMark("signing secret")
  expect(mark(credential)).toBe(hmac(secret, '["12345678000195","Plain","k"]').toString("base64url"))
  expect(mark({ ...credential, registration: "r" } as Credential)).toBe(
    hmac(secret, '["12345678000195","Plain","k","r"]').toString("base64url"),
  )
})

import type { Cnpj, Credential } from "@pixcharge/core"
import * as Redacted from "effect/Redacted"
import type * as Crypto from "node:crypto"
import { createHmac, timingSafeEqual } from "node:crypto"
import { expect, it, vi } from "vitest"
import { integratorKeyDigest, makeKeyCheck } from "../../src/keyCheck.ts"

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof Crypto>()
  return { ...crypto, createHmac: vi.fn(crypto.createHmac), timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

const holder = "12345678000195" as Cnpj
const pepper = { kid: "1", secret: "a pepper that no database knows!" }
const digest = (over: object = {}): Credential => ({
  holder,
  key: { _tag: "Digest", ...integratorKeyDigest(pepper, holder, "chave certa"), ...over },
})

const cases: ReadonlyArray<readonly [string, string, Credential | undefined, boolean]> = [
  ["the right key of a digest", "chave certa", digest(), true],
  ["a wrong key of a digest", "chave errada", digest(), false],
  ["a digest under an unknown pepper", "chave certa", digest({ kid: "2" }), false],
  ["a digest that is none", "chave certa", digest({ hmac: "cafe" }), false],
  ["the right plain key", "chave certa", { holder, key: { _tag: "Plain", key: Redacted.make("chave certa") } }, true],
  ["a wrong plain key", "chave errada", { holder, key: { _tag: "Plain", key: Redacted.make("chave certa") } }, false],
  ["nobody", "chave certa", undefined, false],
  ["nobody, and no key", "", undefined, false],
]

it.each(cases)("%s costs two digests and one comparison", (_, presented, expected, isRight) => {
  const check = makeKeyCheck([pepper])
  vi.mocked(createHmac).mockClear()
  vi.mocked(timingSafeEqual).mockClear()
  expect(check(presented, expected)).toBe(isRight)
  expect([vi.mocked(createHmac).mock.calls.length, vi.mocked(timingSafeEqual).mock.calls.length]).toEqual([2, 1])
})

import { type Credential, integratorKeyDigest, makeKeyCheck } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { createHmac, webcrypto } from "node:crypto"
import { describe, expect, it, vi } from "vitest"

const holder = "12345678000195" as Cnpj
const pepper = { kid: "1", secret: "pimenta que nenhum banco de dados conhece" }
const digest = (over: object = {}, secret = pepper.secret, of: string = holder): Credential => ({
  holder,
  key: {
    _tag: "Digest",
    kid: "1",
    hmac: createHmac("sha256", secret).update(`${of}|chave certa`).digest("hex"),
    ...over,
  },
})
const plain: Credential = { holder, key: { _tag: "Plain", key: Redacted.make("chave certa") } }

const cases: ReadonlyArray<readonly [string, string, Credential | undefined, boolean]> = [
  ["the right key of a digest", "chave certa", digest(), true],
  ["a wrong key of a digest", "chave errada", digest(), false],
  ["a digest under an unknown pepper", "chave certa", digest({ kid: "2" }), false],
  ["a digest under another pepper of the same kid", "chave certa", digest({}, "another pepper than ours"), false],
  ["a digest of the wrong length", "chave certa", digest({ hmac: "cafe" }), false],
  ["a digest that was copied from another holder", "chave certa", digest({}, pepper.secret, "11222333000181"), false],
  ["the right plain key", "chave certa", plain, true],
  ["a wrong plain key", "chave errada", plain, false],
  ["an unknown company", "chave certa", undefined, false],
  ["an unknown company without a key", "", undefined, false],
]

it.each(cases)("checking %s costs two digests and one comparison", async (_, presented, expected, isRight) => {
  const check = makeKeyCheck([pepper])
  await Effect.runPromise(check("", undefined))
  const [sign, verify] = [vi.spyOn(webcrypto.subtle, "sign"), vi.spyOn(webcrypto.subtle, "verify")]
  expect(await Effect.runPromise(check(presented, expected))).toBe(isRight ? expected : undefined)
  // `verify` computes a digest and compares it.
  expect([sign.mock.calls.length, verify.mock.calls.length]).toEqual([1, 1])
  vi.restoreAllMocks()
})

describe("a digest of a key", () => {
  it.each(["chave", "chave com acentuação", "x".repeat(200)])(
    "is an HMAC-SHA256 of holder, bar and key, and has its pepper's kid: %s",
    async (key) => {
      const hmac = createHmac("sha256", pepper.secret).update(`12ABC34501DE35|${key}`).digest("hex")
      expect(await integratorKeyDigest(pepper, "12ABC34501DE35", key)).toEqual({ kid: "1", hmac })
    },
  )

  it("is accepted under every pepper of the ring; an unknown pepper is logged once", async () => {
    const newer = { kid: "2", secret: "the pepper that takes its place, later" }
    expect(await Effect.runPromise(makeKeyCheck([newer, pepper])("chave certa", digest()))).toEqual(digest())
    for (const ring of [[], [newer]]) {
      const logged: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => void logged.push([logLevel, message]))
      const check = makeKeyCheck(ring)
      const ask = (expected: Credential) =>
        Effect.runPromise(Effect.provide(check("chave certa", expected), Logger.layer([logger])))
      for (let again = 0; again < 3; again++) expect(await ask(digest())).toBeUndefined()
      expect(logged).toEqual([["Error", [expect.stringMatching(/"1"$/)]]])
      await ask(digest({ kid: "0" }))
      expect(logged).toEqual([expect.anything(), ["Error", [expect.stringMatching(/"0"$/)]]])
    }
  })
})

import { type KeyRing, keyRingFlaw } from "@pixcharge/core/directory"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"

const secret = "s".repeat(32)
const flawOf = (ring: unknown) => keyRingFlaw("tokens.keys", ring as KeyRing)

it("a ring of distinct keys with 32 bytes each is valid", () => {
  expect(flawOf([{ kid: "a", secret }])).toBeUndefined()
  expect(
    flawOf([
      { kid: "a", secret },
      { kid: "b", secret: "é".repeat(16) },
      { kid: "c", secret: Redacted.make(secret) },
    ]),
  ).toBeUndefined()
})

it.each<[string, unknown, string]>([
  ["undefined", undefined, "tokens.keys needs at least one key, as { kid, secret }"],
  ["a string", secret, "tokens.keys needs at least one key, as { kid, secret }"],
  ["an empty list", [], "tokens.keys needs at least one key, as { kid, secret }"],
  ["a list of strings", [secret], "tokens.keys needs at least one key, as { kid, secret }"],
  ["a list of null", [null], "tokens.keys needs at least one key, as { kid, secret }"],
  [
    "a list of a key and a string",
    [{ kid: "a", secret }, secret],
    "tokens.keys needs at least one key, as { kid, secret }",
  ],
  ["a key without a kid", [{ secret }], "tokens.keys needs at least one key, as { kid, secret }"],
  [
    "two keys with one kid",
    [
      { kid: "a", secret },
      { kid: "a", secret: "t".repeat(32) },
    ],
    "two keys of tokens.keys share a kid",
  ],
  ["an empty kid", [{ kid: "", secret }], "a key of tokens.keys has an empty kid"],
  [
    "a secret of 31 bytes",
    [{ kid: "a", secret: "s".repeat(31) }],
    'the secret of tokens.keys "a" is shorter than 32 bytes',
  ],
  ["a key without a secret", [{ kid: "a" }], 'the secret of tokens.keys "a" is missing: it is undefined'],
  [
    "a redacted secret of 31 bytes",
    [{ kid: "a", secret: Redacted.make("s".repeat(31)) }],
    'the secret of tokens.keys "a" is shorter than 32 bytes',
  ],
  ["an empty secret", [{ kid: "a", secret: "" }], 'the secret of tokens.keys "a" is missing: it is empty'],
])("%s is refused with a sentence that says why", (_, ring, flaw) => {
  expect(flawOf(ring)).toBe(flaw)
})

import type { ChargeId } from "@pixcharge/core/charges"
import type { KeyRing } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import { Signatures } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type Capability, capabilityPurpose, formatCapability, parseCapability } from "../src/link/Capability.ts"

const makeKey = (kid: string) => ({ kid, secret: `a secret of 32 bytes at least, ${kid}` })

const makeSignature = (keys: KeyRing, purpose = capabilityPurpose) =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Signatures, (signatures) => signatures.of(purpose)),
      Signatures.layer({ keys, environment: "sandbox" }),
    ),
  )

const ours = makeSignature([makeKey("1")])

const capabilities: fc.Arbitrary<Capability> = fc.record({
  issuer: fc.stringMatching(/^[0-9A-Z]{12}\d{2}$/).map((text) => text as Cnpj),
  id: fc.uuid().map((text) => text as ChargeId),
  expiresAt: fc.integer({ min: 0, max: 2 ** 47 }),
})

const one: Capability = {
  issuer: "12ABC345000195" as Cnpj,
  id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as ChargeId,
  expiresAt: 1_800_000_000_123,
}
const text = formatCapability(one, ours)

it("formats a capability with its charge and expiry as 80 to 90 characters, and parses it", () => {
  fc.assert(
    fc.property(capabilities, (given) => {
      expect(parseCapability(formatCapability(given, ours), ours)).toEqual(given)
    }),
  )
  expect(text).toMatch(/^[\w-]{80,90}$/)
  expect(formatCapability(one, ours)).toBe(text)
})

it("rejects a capability with a flipped bit, missing characters or added characters", () => {
  for (let index = 0; index < text.length; index++) {
    expect(parseCapability(text.slice(0, index), ours)).toBeUndefined()
    expect(parseCapability(text.slice(index + 1), ours)).toBeUndefined()
    for (let bit = 0; bit < 7; bit++) {
      const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
      expect(parseCapability(text.slice(0, index) + flipped + text.slice(index + 1), ours)).toBeUndefined()
    }
  }
  for (const other of [`${text}A`, `A${text}`, `${text}=`, `${text}.`, `${text} `, text.toUpperCase(), ""]) {
    expect(parseCapability(other, ours)).toBeUndefined()
  }
})

it("rejects a signature for another purpose or by a key outside the ring, and accepts every key of the ring", () => {
  expect(parseCapability(formatCapability(one, makeSignature([makeKey("1")], "forms")), ours)).toBeUndefined()
  expect(parseCapability(formatCapability(one, makeSignature([{ ...makeKey("2"), kid: "1" }])), ours)).toBeUndefined()
  const replaced = makeSignature([makeKey("2"), makeKey("1")])
  expect(parseCapability(text, replaced)).toEqual(one)
  expect(parseCapability(text, makeSignature([makeKey("2")]))).toBeUndefined()
})

it("rejects arbitrary strings, and strings over 400 characters without checking their signature", () => {
  fc.assert(fc.property(fc.string({ maxLength: 120 }), (given) => parseCapability(given, ours) === undefined))
  let looks = 0
  const watched = { ...ours, verify: (...given: Parameters<typeof ours.verify>) => (looks++, ours.verify(...given)) }
  expect(parseCapability("A".repeat(401), watched)).toBeUndefined()
  expect(looks).toBe(0)
  expect(parseCapability("A".repeat(400), watched)).toBeUndefined()
  expect(looks).toBe(1)
})

import type { KeyRing, RingKey } from "@pixcharge/core/directory"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Signatures } from "../src/index.ts"

const makeKey = (kid: string): RingKey => ({ kid, secret: `a secret of 32 bytes at least, ${kid}` })
const old = makeKey("2026-11")
const fresh = makeKey("chave nova/ção")

const ofRing = (keys: KeyRing, purpose = "links", environment: "sandbox" | "production" = "production") =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Signatures, (signatures) => signatures.of(purpose)),
      Signatures.layer({ keys, environment }),
    ),
  )

/** Other spellings of a signature that a lenient decoder reads as the same bytes. */
const respelled = (signature: string) => [
  signature.replaceAll("-", "+").replaceAll("_", "/"),
  `${signature}=`,
  ` ${signature}`,
  `${signature.slice(0, 10)}\n${signature.slice(10)}`,
]

describe("a signature", () => {
  it("verifies its text, and can be part of a URL", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(old, fresh), (text, key) => {
        const { sign, verify } = ofRing([key])
        expect(sign(text)).toMatch(/^[\w-]{33,}$/)
        expect(sign(text)).toBe(sign(text))
        expect(verify(text, sign(text))).toBe(true)
      }),
    )
  })

  it("is the same if the key's secret is redacted", () => {
    const redacted = { kid: old.kid, secret: Redacted.make(old.secret as string) }
    expect(ofRing([redacted]).sign("a text")).toBe(ofRing([old]).sign("a text"))
  })

  it("doesn't verify another text, purpose, environment or secret", () => {
    const signature = ofRing([old]).sign("a text")
    const verifiers = [
      ofRing([old], "forms"),
      ofRing([old], "links", "sandbox"),
      ofRing([{ ...old, secret: fresh.secret }]),
      ofRing([fresh]),
    ]
    for (const { verify } of verifiers) expect(verify("a text", signature)).toBe(false)
    expect(ofRing([old]).verify("a text ", signature)).toBe(false)
    expect(ofRing([old]).verify("", signature)).toBe(false)
  })

  it("has one spelling: a flipped bit, a missing end or another alphabet fails", () => {
    const { sign, verify } = ofRing([old, fresh])
    for (let index = 0; index < 200; index++) {
      const text = `text ${index}`
      const signature = sign(text)
      for (const other of respelled(signature)) if (other !== signature) expect(verify(text, other)).toBe(false)
    }
    const signature = sign("a text")
    for (let index = 0; index < signature.length; index++) {
      expect(verify("a text", signature.slice(0, index))).toBe(false)
      for (let bit = 0; bit < 7; bit++) {
        const flipped = String.fromCharCode(signature.charCodeAt(index) ^ (1 << bit))
        expect(verify("a text", signature.slice(0, index) + flipped + signature.slice(index + 1))).toBe(false)
      }
    }
  })

  it("is made with the ring's first key and verified with all keys, so keys can be replaced", () => {
    const before = ofRing([old])
    const both = ofRing([fresh, old])
    expect(both.verify("a text", before.sign("a text"))).toBe(true)
    expect(ofRing([fresh]).verify("a text", both.sign("a text"))).toBe(true)
    expect(ofRing([fresh]).verify("a text", before.sign("a text"))).toBe(false)
  })

  it("isn't verified, and causes no error, if it is an arbitrary string", () => {
    const { verify } = ofRing([old])
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (given) => !verify("a text", given)))
    expect(verify("a text", "x".repeat(1_000_000))).toBe(false)
  })
})

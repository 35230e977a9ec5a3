import { type BrCode, decodeBrCode, encodeBrCode, InvalidBrCode } from "@pixcharge/core/brcode"
import { arbitrary } from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { crcOfBytes, seal, tlv } from "./craft.ts"
import { flawIn, brokenRule, read, write } from "./readings.ts"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const numRuns = process.env["LONG"] ? 40_000 : 1000

describe("writing and reading", () => {
  it("reads a written code as the same value", () => {
    fc.assert(
      fc.property(arbitrary.brCode, (code) => {
        expect(read(write(code))).toStrictEqual({ code, unrelated: [], forgiven: [] })
      }),
      { numRuns },
    )
  })

  it("writes a read code as the same text", () => {
    fc.assert(
      fc.property(arbitrary.brCode, (code) => {
        const text = write(code)
        expect(write(read(text).code)).toBe(text)
      }),
      { numRuns },
    )
  })

  it("writes printable ASCII of at most 512 characters with the right checksum", () => {
    fc.assert(
      fc.property(arbitrary.brCode, (code) => {
        const text = write(code)
        expect(text).toMatch(/^[ -~]{1,512}$/)
        expect(text.slice(-4)).toBe(crcOfBytes(new TextEncoder().encode(text.slice(0, -4))))
      }),
      { numRuns },
    )
  })
})

/** Any text or no text in any field. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 110 }),
  fc.constantFrom("", "Zé", "a@b.co", "12345678909", "pix.example.com/x", "***", undefined, null, 7),
)
const anyCode = fc
  .oneof(arbitrary.brCode, arbitrary.staticBrCode)
  .chain((code) =>
    fc
      .dictionary(
        fc.constantFrom(
          "_tag",
          "key",
          "url",
          "recurrenceUrl",
          "merchantName",
          "merchantCity",
          "description",
          "txid",
          "postalCode",
          "facilitator",
          "merchantCategoryCode",
          "pointOfInitiation",
        ),
        anyText,
        { maxKeys: 2 },
      )
      .map((spoilt): unknown => ({ ...code, ...spoilt })),
  )

describe("any input", () => {
  it("encodeBrCode writes a strictly valid text, or returns field and rule", () => {
    let written = 0
    fc.assert(
      fc.property(anyCode, (code) => {
        const result = encodeBrCode(code as BrCode)
        if (Result.isFailure(result)) {
          expect(result.failure).toBeInstanceOf(InvalidBrCode)
          expect(brokenRule(code)).toMatch(/^(?:code|\d\d(?:\.\d\d)?) \w+$/)
          return
        }
        written++
        expect(flawIn(result.success)).toBe("nothing")
      }),
      { numRuns },
    )
    expect(written).toBeGreaterThan(numRuns / 20)
  })

  const fields = fc
    .array(
      fc.tuple(
        fc.constantFrom("00", "01", "04", "26", "27", "52", "53", "54", "58", "59", "60", "61", "62", "64", "80", "81"),
        fc.oneof(
          fc.constantFrom(
            "01",
            "12",
            "0000",
            "986",
            "BR",
            "1.00",
            "0503***",
            "0014br.gov.bcb.pix",
            "0014br.gov.bcb.pix0106a@b.co",
            "0014br.gov.bcb.pix2517pix.example.com/x",
          ),
          fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => seal(`${parts.map(([id, value]) => tlv(id, value)).join("")}6304`))

  it("decodeBrCode returns a code, or field and rule, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(fields, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 600 })),
        (text) => {
          for (const reading of ["strict", "lenient"] as const) {
            const result = decodeBrCode(text, reading)
            if (Result.isFailure(result)) {
              const { field, message, rule } = result.failure
              expect(`${field} ${rule}`).toMatch(/^(?:code|\d\d(?:\.\d\d)?) \w+$/)
              expect(message.startsWith(`${field} `)).toBe(true)
            }
          }
        },
      ),
      { numRuns },
    )
  })

  it("a strictly valid text has the same result in a strict and a lenient reading", () => {
    fc.assert(
      fc.property(arbitrary.brCode, (code) => {
        const text = write(code)
        expect(read(text, "lenient")).toStrictEqual(read(text, "strict"))
      }),
      { numRuns: numRuns / 10 },
    )
  })
})

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { crc16, crc16Latin1, crc16OfPrintable, formatCrc16 } from "../../src/model/brcode/Crc16.ts"
import { crcOfBytes } from "./craft.ts"

describe("CRC-16/CCITT-FALSE", () => {
  it("has the check value 29B1 and starts with FFFF", () => {
    expect(formatCrc16(crc16("123456789"))).toBe("29B1")
    expect(formatCrc16(crc16(""))).toBe("FFFF")
  })

  it("is the checksum of a text's UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(formatCrc16(crc16(text))).toBe(crcOfBytes(new TextEncoder().encode(text)))
      }),
      { numRuns: 5000 },
    )
  })

  it("replaces half a surrogate pair with U+FFFD, as UTF-8 encoders do", () => {
    for (const text of ["\ud800", "a\udc00b", "\udc00\ud800", "x\ud83e"]) {
      expect(formatCrc16(crc16(text))).toBe(crcOfBytes(new TextEncoder().encode(text)))
    }
  })

  it.each(["\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}"])(
    "uses the UTF-8 bytes of %j",
    (character) => {
      const text = `${character}ab`
      expect(formatCrc16(crc16(text))).toBe(crcOfBytes(new TextEncoder().encode(text)))
    },
  )

  it("crc16Latin1 is undefined for a text with characters outside Latin-1", () => {
    expect(formatCrc16(crc16Latin1("SÃO", 3) ?? 0)).toBe(crcOfBytes([0x53, 0xc3, 0x4f]))
    expect(formatCrc16(crc16Latin1("ÿ", 1) ?? 0)).toBe(crcOfBytes([0xff]))
    expect(crc16Latin1("€", 1)).toBeUndefined()
    expect(crc16Latin1("A€", 1)).toBeDefined()
  })

  it("crc16OfPrintable returns -1 for a character outside printable ASCII", () => {
    for (const character of ["\0", "\u001f", "\u007f", "\u0080", "é", "\uffff"]) {
      for (let before = 0; before < 9; before++) {
        for (let after = 0; after < 9; after++) {
          expect(crc16OfPrintable("~".repeat(before) + character + " ".repeat(after))).toBe(-1)
        }
      }
      for (let times = 1; times < 9; times++) expect(crc16OfPrintable(character.repeat(times))).toBe(-1)
    }
  })

  it.each([" ", "~"])("crc16OfPrintable accepts %j, the first or last printable ASCII character", (character) => {
    for (let times = 1; times < 9; times++) {
      const text = character.repeat(times)
      expect(formatCrc16(crc16OfPrintable(text))).toBe(crcOfBytes(new TextEncoder().encode(text)))
    }
  })
})

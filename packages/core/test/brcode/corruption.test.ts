import { describe, expect, it } from "vitest"
import { flawIn, read } from "./readings.ts"
import { vectors } from "./vectors.ts"

describe("a corrupted code", () => {
  const kinds = [...new Set(vectors.valid.map(({ kind }) => kind))]
  const ofEachKind = kinds.map((kind) => vectors.valid.findLast((vector) => vector.kind === kind)?.code ?? "")
  const furtherVectors = process.env["LONG"] ? vectors.valid.filter((_, i) => i % 20 === 0) : []
  const codes = [...ofEachKind, ...furtherVectors.map(({ code }) => code)]
  const replacements = [...Array.from({ length: 0x80 }, (_, i) => String.fromCharCode(i)), "é", "٣", "🤖", "\ud800"]

  /** The spoilt texts that even a lenient reading accepts. A checksum in lower case counts as unchanged. */
  const acceptedTexts = (spoilt: Iterable<string>, code: string): ReadonlyArray<string> =>
    [...spoilt].filter((text) => {
      const onlySmall = text !== code && text.slice(0, -4) + text.slice(-4).toUpperCase() === code
      return flawIn(text, onlySmall ? "strict" : "lenient") === "nothing"
    })

  const everywhere = function* (code: string, spoil: (before: string, at: string, after: string) => Iterable<string>) {
    for (let i = 0; i < code.length; i++) yield* spoil(code.slice(0, i), code.charAt(i), code.slice(i + 1))
  }

  it("the codes to corrupt include every kind", () => {
    expect(new Set(codes.map((code) => read(code).code._tag))).toEqual(new Set(["Static", "Dynamic", "Recurrence"]))
  })

  it.each(codes)("is refused after a change of one character, %s", (code) => {
    const step = process.env["LONG"] ? 1 : 4
    const spoilt = everywhere(code, (before, at, after) =>
      replacements
        .filter((character, i) => character !== at && (i + before.length) % step === 0)
        .map((character) => before + character + after),
    )
    expect(acceptedTexts(spoilt, code)).toEqual([])
  })

  it.each(codes)("is refused after two neighbouring characters were swapped or changed, %s", (code) => {
    const spoilt = everywhere(code, (before, at, after) => {
      const next = after.charAt(0)
      const flipped = String.fromCharCode(at.charCodeAt(0) ^ 1, next.charCodeAt(0) ^ 64)
      return [next + at, "00", "ZZ", flipped]
        .filter((pair) => pair !== at + next)
        .map((pair) => before + pair + after.slice(1))
    })
    expect(acceptedTexts(spoilt, code)).toEqual([])
  })

  it.each(codes)("is refused after a lost or doubled character, %s", (code) => {
    const spoilt = everywhere(code, (before, at, after) => [before + after, before + at + at + after])
    expect(acceptedTexts(spoilt, code)).toEqual([])
  })

  it.each(codes)("is refused if its last characters are missing, %s", (code) => {
    expect(
      acceptedTexts(
        everywhere(code, (before) => [before]),
        code,
      ),
    ).toEqual([])
  })
})

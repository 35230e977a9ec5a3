import type { BrCode, BrCodeReading } from "@pixcharge/core/brcode"
import { describe, expect, it } from "vitest"
import { flawIn, read, write } from "./readings.ts"
import { type ReadableVector, vectors } from "./vectors.ts"

const titled = <A extends { readonly code: string; readonly source: string; readonly note?: string }>(
  cases: ReadonlyArray<A>,
) => cases.map((vector) => ({ ...vector, title: `${vector.note ?? vector.source}: …${vector.code.slice(-8)}` }))

const toCents = (text: string): number => {
  const [reais = "", decimals = ""] = text.split(".")
  return Number(`${reais}${decimals.padEnd(2, "0")}`)
}

/** Reads a vector's fields without our decoder. A template's GUI shows whether it is the Pix account or recurrence. */
const codeMeaning = ({ fields, kind }: ReadableVector): Record<string, unknown> => {
  const at = (name: string) => fields[name]
  const isPix = (id: number) => at(`${id}.00`)?.toLowerCase() === "br.gov.bcb.pix"
  const account = Array.from({ length: 26 }, (_, i) => 26 + i).find(isPix)
  const recurrence = Array.from({ length: 20 }, (_, i) => 80 + i).find(isPix)
  const isStatic = kind.startsWith("static")
  const amount = at("54")
  const meaning = {
    _tag: isStatic ? "Static" : kind.startsWith("dynamic") ? "Dynamic" : "Recurrence",
    key: at(`${account}.01`),
    description: at(`${account}.02`),
    facilitator: at(`${account}.03`),
    url: at(`${account}.25`),
    recurrenceUrl: recurrence === undefined ? undefined : at(`${recurrence}.25`),
    merchantName: at("59"),
    merchantCity: at("60"),
    postalCode: at("61"),
    merchantCategoryCode: at("52") === "0000" ? undefined : at("52"),
    pointOfInitiation: at("01") && (at("01") === "11" ? "reusable" : "singleUse"),
    amountCents: isStatic && amount !== undefined ? toCents(amount) : undefined,
    txid: isStatic && at("62.05") !== "***" ? at("62.05") : undefined,
  }
  return Object.fromEntries(Object.entries(meaning).filter(([, value]) => value !== undefined))
}

describe("a valid code", () => {
  it.each(titled(vectors.valid))("is read with every field, $title", (vector) => {
    for (const reading of ["strict", "lenient"] satisfies ReadonlyArray<BrCodeReading>) {
      const { code, forgiven } = read(vector.code, reading)
      expect(code).toStrictEqual(codeMeaning(vector))
      expect(forgiven).toEqual([])
    }
  })

  it.each(titled(vectors.valid))("reports the fields that aren't Pix's, $title", ({ code, fields }) => {
    const { unrelated } = read(code)
    const texts = new Map(unrelated.map(({ field, value }) => [field, value]))
    const own = /^(?:0[01]|5[234789]|6[013]|62\.05)$/
    const isPix = (id: string) => fields[`${id}.00`]?.toLowerCase() === "br.gov.bcb.pix"
    const foreign = Object.entries(fields).filter(([name]) => !own.test(name) && !isPix(name.slice(0, 2)))
    const places = foreign.map(([name]) => (texts.has(name) ? name : name.slice(0, 2)))
    expect(new Set(texts.keys())).toEqual(new Set(places))
    for (const [name, value] of foreign) expect(texts.get(name) ?? texts.get(name.slice(0, 2)), name).toContain(value)
  })
})

describe("a code with a mistake that official examples or banks make", () => {
  it.each(titled(vectors.lenient))("is refused by a strict reading, $title", ({ code, forgiven }) => {
    expect(flawIn(code)).toBe(forgiven[0])
  })

  it.each(titled(vectors.lenient))("is read by a lenient reading, which reports the rule, $title", (vector) => {
    const decoded = read(vector.code, "lenient")
    expect(decoded.code).toStrictEqual(codeMeaning(vector))
    expect(decoded.forgiven.map(({ field, rule }) => `${field} ${rule}`)).toEqual(vector.forgiven)
  })
})

describe("a code that breaks a rule", () => {
  it.each(titled(vectors.invalid))("is refused by both readings with field and rule, $title", (vector) => {
    expect(flawIn(vector.code)).toBe(`${vector.field} ${vector.rule}`)
    expect(flawIn(vector.code, "lenient")).toBe(`${vector.field} ${vector.rule}`)
  })
})

describe("the central bank's example", () => {
  const fulano = { merchantName: "Fulano de Tal", merchantCity: "BRASILIA" }
  const key = "123e4567-e12b-12d1-a456-426655440000"
  const url = "pix.example.com/8b3da2f39a4140d1a91abd93113bd441"
  const recurrenceUrl = "pix.example.com/rec/2353c790eefb11eaadc10242ac120002"
  const amountCents = 10_050 as never
  const official: ReadonlyArray<{ readonly name: string; readonly end: string; readonly code: BrCode }> = [
    { name: "static (§2.6.3)", end: "1D3D", code: { _tag: "Static", ...fulano, key } },
    {
      name: "dynamic (§2.7.2)",
      end: "64E4",
      code: { _tag: "Dynamic", ...fulano, pointOfInitiation: "singleUse", url },
    },
    {
      name: "static and recurrence (§2.8.5.2)",
      end: "2875",
      code: { _tag: "Static", ...fulano, key, amountCents, recurrenceUrl },
    },
    {
      name: "dynamic and recurrence (§2.8.5.3)",
      end: "FB42",
      code: { _tag: "Dynamic", ...fulano, pointOfInitiation: "singleUse", url, recurrenceUrl },
    },
    { name: "recurrence (§2.8.5.1)", end: "F2DA", code: { _tag: "Recurrence", ...fulano, recurrenceUrl } },
  ]

  it.each(official)("is written byte for byte: $name", ({ code, end }) => {
    const text = write(code)
    expect(text.slice(-4)).toBe(end)
    if (end !== "F2DA") expect(vectors.valid.map((vector) => vector.code)).toContain(text)
    expect(read(text).code).toStrictEqual(code)
  })
})

describe("a code in our own order and form", () => {
  const canonical = vectors.valid.filter(
    ({ code, fields, kind }) =>
      fields["26.00"] === "br.gov.bcb.pix" &&
      !code.includes("BR.GOV") &&
      /^(?:\d+\.\d\d|\d{13})$/.test(fields["54"] ?? "0.00") &&
      (kind.startsWith("static") || (fields["54"] === undefined && fields["62.05"] === "***")),
  )

  it("occurs in more than thirty vectors", () => {
    expect(canonical.length).toBeGreaterThan(30)
  })

  it.each(titled(canonical))("is written again unchanged, $title", ({ code }) => {
    expect(write(read(code).code)).toBe(code)
  })
})

import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  type Cnpj,
  InvalidTaxId,
  isCpf,
  isValidCnpj,
  isValidCpf,
  maskTaxId,
  normalizeTaxId,
  parseCnpj,
  parseCpf,
  parseTaxId,
  type TaxId,
} from "@pixcharge/core/party"
import { cnpjs, cpfs, documents, makeBody, withMask } from "./documents.ts"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const runs = process.env["LONG"] ? 100_000 : 2000

const canonicalText = (result: Result.Result<TaxId, InvalidTaxId>): string | null =>
  Result.isSuccess(result) ? result.success : null

const refusalReason = (result: Result.Result<TaxId, InvalidTaxId>): string | undefined =>
  Result.isFailure(result) ? result.failure.reason : undefined

describe.each([
  { name: "CPF", cases: documents.cpf, parse: parseCpf, isValid: isValidCpf },
  { name: "numeric CNPJ", cases: documents.cnpjNumeric, parse: parseCnpj, isValid: isValidCnpj },
  { name: "alphanumeric CNPJ", cases: documents.cnpjAlphanumeric, parse: parseCnpj, isValid: isValidCnpj },
])("$name", ({ cases, parse, isValid }) => {
  it.each(cases)("accepts or refuses $input ($note)", ({ input, valid, canonical }) => {
    expect(canonicalText(parse(input))).toBe(canonical)
    expect(canonicalText(parseTaxId(input))).toBe(canonical)
    expect(isValid(input)).toBe(valid)
  })
})

describe("a tax id that a lenient parser would accept", () => {
  it.each(documents.ambiguous)("refuses $input unchanged ($note)", ({ input }) => {
    expect(canonicalText(parseTaxId(input))).toBe(null)
    expect(isValidCpf(input) || isValidCnpj(input)).toBe(false)
  })

  it.each(documents.ambiguous)("accepts $input after normalizeTaxId, unless characters are missing", (vector) => {
    expect(Result.isSuccess(parseTaxId(normalizeTaxId(vector.input)))).toBe(vector.lenient)
  })

  it("normalizing never repairs an invalid tax id", () => {
    const all = [...documents.cpf, ...documents.cnpjNumeric, ...documents.cnpjAlphanumeric]
    for (const { input, canonical } of all) expect(canonicalText(parseTaxId(normalizeTaxId(input)))).toBe(canonical)
  })

  it("normalizing raises only a to z, so 'ı', 'ſ' and 'ﬁ' stay", () => {
    expect(normalizeTaxId("ıſﬁ-az")).toBe("ıſﬁAZ")
    expect(normalizeTaxId(52_998_224_725 as never)).toBe("")
    expect(canonicalText(parseTaxId(normalizeTaxId("ıOUQF123000155")))).toBe(null)
    expect(canonicalText(parseTaxId(normalizeTaxId("iouqf123000155")))).toBe("IOUQF123000155")
  })

  it("normalizing removes only dots, dashes, slashes and ordinary spaces", () => {
    for (const space of ["\t", "\n", "\u00a0", "\u200b", "_"]) {
      expect(refusalReason(parseTaxId(normalizeTaxId(`123.456${space}.789-09`)))).toBe("character")
    }
  })
})

describe("a value that isn't a string", () => {
  it.each([undefined, null, 52_998_224_725, {}, ["52998224725"]])("refuses %j without throwing", (value) => {
    expect([isValidCpf(value as never), isValidCnpj(value as never)]).toEqual([false, false])
    for (const parse of [parseCpf, parseCnpj, parseTaxId])
      expect(refusalReason(parse(value as never))).toBe("character")
  })
})

describe("a refusal", () => {
  it.each([
    ["12345678900", "cpf", "checkDigits"],
    ["123.456.789-00", "cpf", "checkDigits"],
    ["11111111111", "cpf", "repeated"],
    ["111.111.111-11", "cpf", "repeated"],
    ["123.456.789/09", "cpf", "mask"],
    ["123456789-09", "cpf", "mask"],
    ["12A45678909", "cpf", "character"],
    ["123.456.78９-09", "cpf", "character"],
    ["12345678000194", "cnpj", "checkDigits"],
    ["12.345.678/0001-94", "cnpj", "checkDigits"],
    ["00000000000000", "cnpj", "repeated"],
    ["AAAAAAAAAAAAAA", "cnpj", "character"],
    ["12ABC34501DE3A", "cnpj", "character"],
    ["12ABC34501DEA5", "cnpj", "character"],
    ["12abc34501de35", "cnpj", "character"],
    ["12.345.678.0001-95", "cnpj", "mask"],
    ["12345678/0001-95", "cnpj", "mask"],
    ["12.345.678/0001-9X", "cnpj", "character"],
    ["", "taxId", "length"],
    ["123", "taxId", "length"],
    ["1234567890123", "taxId", "length"],
    ["123456789012345", "taxId", "length"],
    ["12345678909\n", "taxId", "character"],
    ["12 345 678", "taxId", "character"],
  ])("calls %j an invalid %s: %s", (text, kind, reason) => {
    expect(Result.getOrThrow(Result.flip(parseTaxId(text)))).toMatchObject({ _tag: "InvalidTaxId", kind, reason })
  })

  it.each([
    ["123.456.789", "length"],
    ["12.345.678/0001-95", "length"],
    ["1.2.3.4.5.6.7.8.9.0.9", "mask"],
    ["12.3456.789-09", "mask"],
    ["123.4567.89-09", "mask"],
    ["123.45..789-09", "length"],
  ])("says that %j as a CPF has a wrong %s", (text, reason) => {
    expect(refusalReason(parseCpf(text))).toBe(reason)
  })

  it.each([
    ["123.456.789-09", "length"],
    ["12.3.5.678/0001-95", "length"],
    ["../..", "length"],
  ])("says that %j as a CNPJ has a wrong %s", (text, reason) => {
    expect(refusalReason(parseCnpj(text))).toBe(reason)
  })

  it.each(["12345678909", "12345678000195", "12ABC34501DE35"])(
    "gives the right reason for a sign, a small or a foreign letter at any place of %s",
    (text) => {
      const wrong: Array<string> = []
      const signs = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
        (c) => !/[0-9A-Z]/.test(c),
      )
      for (const sign of [...signs, "Á", "ı", "Ａ", "９", "\u0661", "\u{1F600}"]) {
        for (let index = 0; index < text.length; index++) {
          const spoilt = text.slice(0, index) + sign + text.slice(index + 1)
          const reason = refusalReason(text.length === 11 ? parseCpf(spoilt) : parseCnpj(spoilt))
          if (reason !== (/[./-]/.test(sign) ? "length" : "character")) wrong.push(`${spoilt}: ${reason}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )

  it.each([":2345678900", "1234567890:", "0000000:0::"])(
    "is the answer to %s, whose colon must not count as ten",
    (text) => {
      expect(isValidCpf(text)).toBe(false)
    },
  )

  it.each([
    ["cpf", "12A45678909", "A CPF must have digits only."],
    ["cnpj", "12ABC34501DE3A", "A CNPJ must have digits and capital letters only, with digits as its check digits."],
    ["cpf", "1234567890", "A CPF must have 11 characters without punctuation."],
    ["cnpj", "1234567890", "A CNPJ must have 14 characters without punctuation."],
    ["cpf", "123456789-09", "A CPF must be written without punctuation or as 000.000.000-00."],
    ["cnpj", "12345678/0001-95", "A CNPJ must be written without punctuation or as 00.000.000/0000-00."],
    ["cnpj", "00000000000000", "A CNPJ is never one character repeated."],
    ["cnpj", "12345678000194", "The check digits of the CNPJ don't fit the rest: it has a typing error."],
  ])("explains a wrong %s like %s: %s", (kind, text, message) => {
    const result: Result.Result<TaxId, InvalidTaxId> = kind === "cpf" ? parseCpf(text) : parseCnpj(text)
    expect(Result.getOrThrow(Result.flip(result)).message).toBe(message)
  })

  it("never contains the tax id", () => {
    for (const text of ["12345678900", "11111111111", "123.456.789/09", "12A45678909", "12345678000194", "987654321"]) {
      const error = Result.getOrThrow(Result.flip(parseTaxId(text)))
      expect(error).toBeInstanceOf(InvalidTaxId)
      expect(error.message.length).toBeGreaterThan(20)
      expect(`${JSON.stringify(error)}${error.message}${error.stack}`).not.toContain(text)
    }
    expect(Result.getOrThrow(Result.flip(parseTaxId("123"))).message).toBe(
      "A CPF or CNPJ must have 11 or 14 characters without punctuation.",
    )
    expect(Result.getOrThrow(Result.flip(parseCpf("12345678900"))).message).toBe(
      "The check digits of the CPF don't fit the rest: it has a typing error.",
    )
  })
})

describe("the check digits", () => {
  it("agree with an independent calculation for a CPF, with and without punctuation", () => {
    fc.assert(
      fc.property(cpfs, (cpf) => {
        const masked = withMask(cpf)
        expect(canonicalText(parseTaxId(cpf))).toBe(cpf)
        expect(canonicalText(parseTaxId(masked))).toBe(cpf)
        expect(isValidCpf(cpf) && isValidCpf(masked)).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it("agree with an independent calculation for a CNPJ, with and without punctuation", () => {
    fc.assert(
      fc.property(cnpjs, (cnpj) => {
        const masked = withMask(cnpj)
        expect(canonicalText(parseTaxId(cnpj))).toBe(cnpj)
        expect(canonicalText(parseTaxId(masked))).toBe(cnpj)
        expect(canonicalText(parseTaxId(normalizeTaxId(masked.toLowerCase())))).toBe(cnpj)
        expect(isValidCnpj(cnpj) && isValidCnpj(masked)).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it("are both checked: a change of either is refused", () => {
    fc.assert(
      fc.property(fc.oneof(cpfs, cnpjs), fc.constantFrom(-1, -2), fc.integer({ min: 1, max: 9 }), (text, at, shift) => {
        const characters = [...text]
        characters.splice(at, 1, String((Number(text.at(at)) + shift) % 10))
        expect(refusalReason(parseTaxId(characters.join("")))).toMatch(/checkDigits|repeated/)
      }),
      { numRuns: runs },
    )
  })

  it.each([
    ["CPF", 9, isValidCpf],
    ["CNPJ", 12, isValidCnpj],
  ])("are right for a %s in only one of the hundred possible pairs", (_name, size, isValid) => {
    const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, "0"))
    fc.assert(
      fc.property(makeBody("0123456789", size), (number) => {
        expect(pairs.filter((pair) => isValid(number + pair))).toHaveLength(1)
      }),
      { numRuns: 300 },
    )
  })

  it("parseTaxId refuses a text of any other shape", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        const bare = text.replace(/[./-]/g, "")
        if (!/^(?:\d{11}|[0-9A-Z]{12}\d\d)$/.test(bare)) expect(canonicalText(parseTaxId(text))).toBe(null)
      }),
      { numRuns: runs },
    )
  })
})

const mask = (text: string): string => maskTaxId(Result.getOrThrow(parseTaxId(text)))

describe("maskTaxId", () => {
  it("shows the middle six characters", () => {
    expect(mask("12345678909")).toBe("***.456.789-**")
    expect(mask("12345678000195")).toBe("**.345.678/****-**")
    expect(mask("12ABC34501DE35")).toBe("**.ABC.345/****-**")
  })

  it("hides at least five characters of a CPF and eight of a CNPJ", () => {
    fc.assert(
      fc.property(fc.oneof(cpfs, cnpjs), (taxId) => {
        const shown = maskTaxId(taxId as TaxId).replace(/[^0-9A-Z]/g, "")
        expect(shown).toBe(taxId.length === 11 ? taxId.slice(3, 9) : taxId.slice(2, 8))
      }),
    )
  })
})

it("isCpf distinguishes CPF and CNPJ by length", () => {
  expect(isCpf(Result.getOrThrow(parseTaxId("12345678909")))).toBe(true)
  expect(isCpf("12345678000195" as Cnpj)).toBe(false)
})

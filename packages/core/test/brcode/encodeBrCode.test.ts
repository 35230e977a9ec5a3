import type { BrCode, StaticBrCode } from "@pixcharge/core/brcode"
import { describe, expect, it } from "vitest"
import { seal } from "./craft.ts"
import { brokenRule, read, write } from "./readings.ts"

const random = "123e4567-e12b-12d1-a456-426655440000"
const url = "pix.example.com/8b3da2f39a4140d1a91abd93113bd441"

const aStatic = (changes: Record<string, unknown> = {}) =>
  ({
    _tag: "Static",
    key: random,
    merchantName: "Fulano",
    merchantCity: "Recife",
    ...changes,
  }) as unknown as StaticBrCode

const aDynamic = (changes: Record<string, unknown> = {}) =>
  ({ _tag: "Dynamic", url, merchantName: "Fulano", merchantCity: "Recife", ...changes }) as unknown as BrCode

describe("writing the key", () => {
  it.each([
    ["a CPF", "12345678909"],
    ["a CNPJ", "12345678000195"],
    ["an alphanumeric CNPJ", "12ABC34501DE35"],
    ["a mobile phone", "+5511987654321"],
    ["a landline", "+551133334444"],
    ["a phone of another country", "+14155552671"],
    ["an e-mail", "fulano.de_tal+pix@example.com.br"],
    ["an e-mail that begins with fourteen digits", "12345678000195@example.com"],
    ["an e-mail of 77 characters", `${"a".repeat(65)}@example.com`],
    ["an e-mail with labels of 63 characters", `a@${"b".repeat(63)}.c`],
    ["a random key", random],
    ["a random key of version 4", "71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
  ])("writes %s unchanged", (_, key) => {
    expect(read(write(aStatic({ key }))).code).toMatchObject({ key })
  })

  it.each([
    ["a mobile phone without +55, which would pay the owner of that CPF", "11987654321", "checkDigits"],
    ["a CPF with a wrong check digit", "12345678900", "checkDigits"],
    ["a CPF of one digit repeated", "11111111111", "checkDigits"],
    ["a CNPJ with a wrong check digit", "12345678000196", "checkDigits"],
    ["a CPF with punctuation", "123.456.789-09", "key"],
    ["a CNPJ with punctuation", "12.345.678/0001-95", "key"],
    ["a CNPJ in small letters", "12abc34501de35", "key"],
    ["a phone with 55 but no plus", "5511987654321", "key"],
    ["a phone without its area code", "+55987654321", "key"],
    ["a phone of ten digits after its area code", "+551198765432100", "key"],
    ["a phone after other characters", "tel+5511987654321", "key"],
    ["a phone with spaces", "+55 11 98765-4321", "key"],
    ["an e-mail in capitals", "Fulano@example.com", "key"],
    ["an e-mail with an accent", "josé@example.com", "key"],
    ["an e-mail without a name", "@example.com", "key"],
    ["an e-mail with a first label of 64 characters", `a@${"b".repeat(64)}.c`, "key"],
    ["an e-mail with a last label of 64 characters", `a@b.${"c".repeat(64)}`, "key"],
    ["a random key in capitals", random.toUpperCase(), "key"],
    ["a random key without hyphens", random.replaceAll("-", ""), "key"],
    ["a key with a line break after it", `${random}\n`, "key"],
    ["a key with a space before it", ` ${random}`, "key"],
    ["a name", "chave-de-demonstracao", "key"],
    ["a key of 78 characters", `${"a".repeat(66)}@example.com`, "size"],
    ["an empty key", "", "missing"],
    ["undefined", undefined, "missing"],
    ["a number", 12_345_678_909, "missing"],
  ])("refuses %s", (_, key, rule) => {
    expect(brokenRule(aStatic({ key }))).toBe(`26.01 ${rule}`)
  })
})

describe("writing the amount", () => {
  it.each([
    [1, "0.01"],
    [10, "0.10"],
    [99, "0.99"],
    [100, "1.00"],
    [1990, "19.90"],
    [100_500, "1005.00"],
    [999_999_999_999, "9999999999.99"],
    [999_999_999_990, "9999999999.90"],
    [999_999_999_900, "9999999999.00"],
  ])("writes %i centavos as %s", (amountCents, text) => {
    expect(write(aStatic({ amountCents }))).toContain(`54${String(text.length).padStart(2, "0")}${text}5802BR`)
  })

  it.each([
    [1_000_000_000_010, "10000000000.1"],
    [1_000_000_000_000, "10000000000"],
    [999_999_999_999_900, "9999999999999"],
  ])("writes %i centavos, too many for two decimals, as %s", (amountCents, text) => {
    expect(write(aStatic({ amountCents }))).toContain(`54${text.length}${text}5802BR`)
    expect(read(write(aStatic({ amountCents }))).code).toMatchObject({ amountCents })
  })

  it("omits an amount that the payer types", () => {
    expect(write(aStatic())).toContain("53039865802BR")
  })

  it.each([1_000_000_000_001, 999_999_999_999_901, 10_000_000_000_000_00, Number.MAX_SAFE_INTEGER])(
    "refuses %i centavos, which don't fit in 13 characters",
    (amountCents) => {
      expect(brokenRule(aStatic({ amountCents }))).toBe("54 size")
    },
  )

  it.each([0.5, 10.05, -1, -0.01, Number.NaN, Infinity, 2 ** 53, 1e21, "100", 100n, null])(
    "refuses %s, which is no whole number of centavos",
    (amountCents) => {
      expect(brokenRule(aStatic({ amountCents }))).toBe("54 amount")
    },
  )

  it("accepts zero only with a facilitator", () => {
    expect(brokenRule(aStatic({ amountCents: 0 }))).toBe("54 zero")
    expect(write(aStatic({ amountCents: 0, facilitator: "99999008" }))).toContain("54040.00")
  })
})

describe("template 26", () => {
  it.each([
    ["a random key", random, 37],
    ["a CPF", "12345678909", 62],
    ["the shortest e-mail", "a@b", 70],
  ])("leaves room after %s (%s) for a description of %i characters", (_, key, room) => {
    const description = "x".repeat(room)
    expect(read(write(aStatic({ key, description }))).code).toMatchObject({ description })
    expect(brokenRule(aStatic({ key, description: `${description}x` }))).toBe("26 budget")
  })

  it("reserves twelve characters for a facilitator", () => {
    const facilitator = "99999008"
    expect(brokenRule(aStatic({ facilitator, description: "x".repeat(25) }))).toBe("nothing")
    expect(brokenRule(aStatic({ facilitator, description: "x".repeat(26) }))).toBe("26 budget")
  })

  it("has no room for a description after a key of 77 characters", () => {
    const key = `${"a".repeat(65)}@example.com`
    expect(write(aStatic({ key }))).toContain("26990014br.gov.bcb.pix0177")
    expect(brokenRule(aStatic({ key, description: "x" }))).toBe("26 budget")
  })
})

describe("writing name and city", () => {
  it.each([
    ["São João del-Rei", "Sao Joao del-Rei"],
    ["JOSÉ DA CONCEIÇÃO", "JOSE DA CONCEICAO"],
    ["Jose\u0301 da Conceic\u0327a\u0303o", "Jose da Conceicao"],
    ["Groß & Ærø", "Gross & AEro"],
    ["STRAẞE ǿ", "STRASSE o"],
    ["1º Ofício, 2ª Vara", "1o Oficio, 2a Vara"],
    ["Łukasz Ðorđe Þór", "Lukasz Dorde Thor"],
    ["Ọ̀ṣun", "Osun"],
  ])("writes %s as %s", (merchantName, plain) => {
    expect(read(write(aStatic({ merchantName }))).code).toMatchObject({ merchantName: plain })
  })

  it("measures a name without its accents, and never cuts a long name", () => {
    expect(brokenRule(aStatic({ merchantName: "ã".repeat(25) }))).toBe("nothing")
    expect(brokenRule(aStatic({ merchantName: "a\u0303".repeat(25), merchantCity: "a\u0303".repeat(15) }))).toBe(
      "nothing",
    )
    expect(brokenRule(aStatic({ merchantName: "x".repeat(26) }))).toBe("59 size")
    expect(brokenRule(aStatic({ merchantName: `${"x".repeat(24)}ß` }))).toBe("59 size")
    expect(brokenRule(aStatic({ merchantCity: "x".repeat(16) }))).toBe("60 size")
  })

  it.each([
    ["an emoji", "Loja 🤖"],
    ["another script", "Лавка"],
    ["half an emoji", "Loja \ud83e"],
    ["a line break", "Loja\n"],
    ["a delete character", "Loja\u007f"],
    ["a typographic apostrophe", "D’Ávila"],
    ["a sign that decomposes to =", "Loja ≠"],
    ["a Greek question mark, which decomposes to ;", "Loja\u037e"],
    ["a keycap emoji", "Loja 1\ufe0f\u20e3"],
    ["an accent on no letter", "\u0301"],
  ])("refuses names with %s", (_, text) => {
    expect(brokenRule(aStatic({ merchantName: text }))).toBe("59 characters")
    expect(brokenRule(aDynamic({ merchantCity: text }))).toBe("60 characters")
  })

  it.each([
    ["", "missing"],
    [undefined, "missing"],
    [null, "missing"],
    [7, "missing"],
    [" ", "blanks"],
    [" Loja", "blanks"],
    ["Loja ", "blanks"],
  ])("refuses %j", (text, rule) => {
    expect(brokenRule(aStatic({ merchantName: text }))).toBe(`59 ${rule}`)
    expect(brokenRule(aStatic({ merchantCity: text }))).toBe(`60 ${rule}`)
  })

  it("decodeBrCode keeps blanks at the ends of a name, which encodeBrCode refuses", () => {
    const text = write(aStatic({ merchantName: "xLojax", merchantCity: "x" }))
    const blank = seal(text.slice(0, -4).replace("xLojax", " Loja ").replace("6001x", "6001 "))
    expect(read(blank)).toMatchObject({ code: { merchantName: " Loja ", merchantCity: " " }, forgiven: [] })
  })
})

describe("writing other texts", () => {
  it("refuses an accent in the description", () => {
    expect(brokenRule(aStatic({ description: "Pão" }))).toBe("26.02 characters")
  })

  it.each(["RP12345678-2019", "my_id", "a b", "***", "", "ã", "x".repeat(26), 7, null])(
    "refuses the txid %j",
    (txid) => {
      expect(brokenRule(aStatic({ txid }))).toBe("62.05 txid")
    },
  )

  it("refuses an empty description or postal code", () => {
    expect(brokenRule(aStatic({ description: "" }))).toBe("26.02 missing")
    expect(brokenRule(aStatic({ postalCode: "" }))).toBe("61 missing")
  })

  it("refuses ill-formed postal codes, category codes, facilitators and points of initiation", () => {
    expect(brokenRule(aStatic({ postalCode: "0".repeat(100) }))).toBe("61 size")
    expect(brokenRule(aStatic({ postalCode: "ã" }))).toBe("61 characters")
    expect(brokenRule(aStatic({ merchantCategoryCode: "741" }))).toBe("52 value")
    expect(brokenRule(aStatic({ merchantCategoryCode: 7412 }))).toBe("52 value")
    expect(brokenRule(aStatic({ facilitator: 99_999_008 }))).toBe("26.03 facilitator")
    expect(brokenRule(aStatic({ facilitator: "9999900" }))).toBe("26.03 facilitator")
    expect(brokenRule(aStatic({ facilitator: "9999900a" }))).toBe("26.03 facilitator")
    expect(brokenRule(aStatic({ pointOfInitiation: "12" }))).toBe("01 value")
  })
})

describe("dynamic codes", () => {
  it("contain neither amount nor txid, even if both are passed", () => {
    const text = write(aDynamic({ amountCents: 100, txid: "A1", key: random }))
    expect(text).toBe(write(aDynamic()))
    expect(text).toContain("53039865802BR")
    expect(text).toContain("62070503***")
  })

  it("must have the same host as their recurrence, ignoring case", () => {
    expect(brokenRule(aDynamic({ recurrenceUrl: "PIX.example.com/rec/1" }))).toBe("nothing")
    expect(brokenRule(aDynamic({ recurrenceUrl: "pix.example.org/rec/1" }))).toBe("80.25 sameHost")
    expect(brokenRule(aDynamic({ recurrenceUrl: "pix.example.com.br/rec/1" }))).toBe("80.25 sameHost")
  })

  it("a static code with a recurrence can have any host there, but no facilitator", () => {
    expect(brokenRule(aStatic({ recurrenceUrl: "pix.example.org/rec/1" }))).toBe("nothing")
    expect(brokenRule(aStatic({ recurrenceUrl: "pix.example.org/rec/1", facilitator: "99999008" }))).toBe(
      "26.03 facilitatorInComposite",
    )
  })

  it("a code with only a recurrence needs its URL", () => {
    expect(brokenRule({ _tag: "Recurrence", merchantName: "A", merchantCity: "B" })).toBe("80.25 missing")
    expect(brokenRule({ _tag: "Recurrence", merchantName: "A", merchantCity: "B", recurrenceUrl: null })).toBe(
      "80.25 missing",
    )
  })
})

it.each(["static", "", undefined, null])("encodeBrCode refuses a value of kind %j", (kind) => {
  expect(brokenRule({ ...aStatic(), _tag: kind, recurrenceUrl: "pix.example.com/rec/1" })).toBe("code kind")
})

it("encodeBrCode writes at most 448 characters, fewer than the 512 of API Pix", () => {
  const text = write(
    aStatic({
      description: "d".repeat(37),
      amountCents: 999_999_999_999,
      txid: "t".repeat(25),
      merchantName: "n".repeat(25),
      merchantCity: "c".repeat(15),
      postalCode: "p".repeat(99),
      merchantCategoryCode: "7412",
      pointOfInitiation: "singleUse",
      recurrenceUrl: `pix.example.com/${"r".repeat(61)}`,
    }),
  )
  expect(text).toHaveLength(448)
  expect(read(text).forgiven).toEqual([])
})

describe("a checksum that is zero", () => {
  it.each([
    ["at the end", "63040000", { txid: "4cj5" }],
    ["before the field of the checksum", "6304", { txid: "awi" }],
    ["after the city", "62070503***", { merchantCity: "A4t9" }],
    ["after the city, before a txid", "62060502T1", { merchantCity: "A4t9", txid: "T1" }],
    ["after the name", "6006Recife", { merchantName: "A4tqk" }],
  ])("leads to a valid code if it occurs %s", (_, next, changes) => {
    const text = write(aStatic(changes))
    expect(text).toBe(seal(text.slice(0, -4)))
    const before = text.slice(0, next === "63040000" ? -4 : text.indexOf(next))
    expect(seal(before).slice(-4)).toBe("0000")
  })
})

import { type BrCodeReading, decodeBrCode } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { craftAccount, crcOfBytes, dynamicWith, seal, staticWith, tlv } from "./craft.ts"
import { flawIn, read } from "./readings.ts"

const both: ReadonlyArray<BrCodeReading> = ["strict", "lenient"]
const random = "123e4567-e12b-12d1-a456-426655440000"

const expectFlaw = (text: string, flaw: string): void => {
  for (const reading of both) expect(flawIn(text, reading)).toBe(flaw)
}

const expectForgiven = (text: string, flaw: string): void => {
  expect(flawIn(text)).toBe(flaw)
  expect(read(text, "lenient").forgiven.map(({ field, rule }) => `${field} ${rule}`)).toContain(flaw)
}

describe("the Pix account", () => {
  it.each(["26", "27", "38", "51"])("is found in template %s", (id) => {
    const text = staticWith({ "26": undefined, [id]: craftAccount(["01", random]) })
    expect(read(text).code).toMatchObject({ _tag: "Static", key: random })
  })

  it.each(["02", "25", "52", "79"])("is ignored in template %s", (id) => {
    const text = staticWith({ "26": undefined, [`${id}b`]: craftAccount(["01", random]) })
    expect(flawIn(text)).not.toBe("nothing")
  })

  it("is recognized by its GUI in capitals or small letters", () => {
    const withGui = (gui: string) => staticWith({ "26": tlv("00", gui) + tlv("01", random) })
    expect(read(withGui("Br.Gov.bcb.PIX")).code).toMatchObject({ key: random })
    expectFlaw(withGui("br.gov.bcb.spi"), "26 notPix")
    expectFlaw(withGui("br.gov.bcb.pixx"), "26 notPix")
    expectFlaw(withGui(" br.gov.bcb.pi"), "26 notPix")
    expectFlaw(staticWith({ "26": tlv("01", random) }), "26 notPix")
  })

  it("accepts its GUI anywhere in the template", () => {
    expect(read(staticWith({ "26": `${tlv("01", random)}0014br.gov.bcb.pix` })).code).toMatchObject({ key: random })
  })

  it("is refused if it occurs twice, at any place and with any content", () => {
    expectFlaw(staticWith({ "51": craftAccount(["01", "12345678909"]) }), "51 twoAccounts")
    expectFlaw(staticWith({ "30": craftAccount(["25", "pix.example.com/x"]) }), "30 twoAccounts")
  })

  it("is found in a code that also has another arrangement's account and a card number", () => {
    const text = staticWith({ "04": "4111111111111111", "27": tlv("00", "br.com.outro") })
    expect(read(text).unrelated).toEqual([
      { field: "04", value: "4111111111111111" },
      { field: "27", value: "0012br.com.outro" },
    ])
  })

  it("needs either a key or a URL", () => {
    expectFlaw(staticWith({ "26": craftAccount() }), "26 missing")
    expectFlaw(staticWith({ "26": craftAccount(["02", "info"]) }), "26 missing")
    expectFlaw(staticWith({ "26": craftAccount(["01", "a@b.co"], ["25", "pix.example.com/x"]) }), "26.25 keyAndUrl")
  })

  it("refuses any other field in the template of a URL", () => {
    const withUrl = (...fields: ReadonlyArray<readonly [string, string]>) =>
      dynamicWith({ "26": craftAccount(["25", "pix.example.com/x"], ...fields) })
    expectFlaw(withUrl(["02", "info"]), "26.02 unexpected")
    expectFlaw(withUrl(["03", "99999008"]), "26.03 unexpected")
    expectFlaw(withUrl(["07", "x"]), "26.07 unexpected")
  })

  it("returns unknown fields in the template of a key", () => {
    const { code, unrelated } = read(
      staticWith({ "26": craftAccount(["01", "a@b.co"], ["08", "new"], ["07", "newer"]) }),
    )
    expect(code).toMatchObject({ key: "a@b.co" })
    expect(unrelated).toEqual([
      { field: "26.08", value: "new" },
      { field: "26.07", value: "newer" },
    ])
  })

  it("requires an ISPB as facilitator", () => {
    const withFacilitator = (ispb: string) => staticWith({ "26": craftAccount(["01", "a@b.co"], ["03", ispb]) })
    expect(read(withFacilitator("1A2B3C4D")).code).toMatchObject({ facilitator: "1A2B3C4D" })
    expectFlaw(withFacilitator("1a2b3c4d"), "26.03 facilitator")
    expectFlaw(withFacilitator("1234567"), "26.03 facilitator")
  })
})

describe("reading the key", () => {
  it.each(["11111111111", random.toUpperCase(), "Fulano@Example.com", "5511987654321", "old-key"])(
    "accepts %s without knowing whether it is registered",
    (key) => {
      expect(read(staticWith({ "26": craftAccount(["01", key]) })).code).toMatchObject({ key })
    },
  )

  it.each(["a b@c.co", "a@b.co ", "jos\u00e9@b.co", "a\u200b@b.co"])("refuses the key %j", (key) => {
    expect(flawIn(staticWith({ "26": craftAccount(["01", key]) }), "lenient")).toBe("26.01 key")
    expect(flawIn(staticWith({ "26": craftAccount(["01", key]) }))).toMatch(/^26\.01 /)
  })
})

describe("reading fields with few values", () => {
  it.each([
    ["00", "02"],
    ["00", "1"],
    ["01", "10"],
    ["01", "1"],
    ["01", "112"],
    ["52", "000"],
    ["52", "00000"],
    ["52", "ABCD"],
    ["53", "840"],
    ["53", "0986"],
    ["58", "br"],
    ["58", "BRA"],
    ["58", "US"],
  ])("refuses field %s with the value %s", (id, value) => {
    expectFlaw(staticWith({ [id]: value }), `${id} value`)
  })

  it.each(["52", "53", "58", "59", "60"])("requires field %s", (id) => {
    expectFlaw(staticWith({ [id]: undefined }), `${id} missing`)
    expectFlaw(dynamicWith({ [id]: undefined }), `${id} missing`)
  })

  it("forgives a missing field 62, which means no txid", () => {
    for (const text of [staticWith({ "62": undefined }), dynamicWith({ "62": undefined })]) {
      expectForgiven(text, "62 missing")
      expect(read(text, "lenient").code).not.toHaveProperty("txid")
    }
    expect(flawIn(staticWith({ "62": undefined, "60": undefined }), "lenient")).toBe("60 missing")
  })

  it("refuses a field 62 without 05", () => {
    expectFlaw(staticWith({ "62": "0703abc" }), "62.05 missing")
  })

  it("accepts both values of field 01 in static and dynamic codes", () => {
    expect(read(staticWith({ "01": "12" })).code).toMatchObject({ _tag: "Static", pointOfInitiation: "singleUse" })
    expect(read(dynamicWith({ "01": "11" })).code).toMatchObject({ _tag: "Dynamic", pointOfInitiation: "reusable" })
    expect(read(dynamicWith({})).code).not.toHaveProperty("pointOfInitiation")
  })

  it("includes category and postal code if they are informed", () => {
    expect(read(staticWith({ "52": "7412", "61": "01310-100" })).code).toMatchObject({
      merchantCategoryCode: "7412",
      postalCode: "01310-100",
    })
    expect(read(staticWith({})).code).not.toHaveProperty("merchantCategoryCode")
  })
})

describe("reading the amount", () => {
  it.each([
    ["100", 10_000],
    ["100.", 10_000],
    ["100.5", 10_050],
    ["100.50", 10_050],
    ["0.01", 1],
    ["00010.00", 1000],
    ["9999999999999", 999_999_999_999_900],
    ["99999999999.9", 9_999_999_999_990],
    ["9999999999.99", 999_999_999_999],
    ["1.1", 110],
    ["70.07", 7007],
  ])("reads %s as exactly %i centavos", (text, amountCents) => {
    expect(read(staticWith({ "54": text })).code).toMatchObject({ amountCents })
  })

  it.each([
    ".5",
    ".",
    "1,00",
    "1.005",
    "1..0",
    "1.0.0",
    "-1.00",
    "+1.00",
    "1e3",
    " 1.00",
    "1.00 ",
    "R$1.00",
    "0x10",
    "1_0",
    "1:0",
    "1/0",
  ])("refuses the amount %j", (text) => {
    expectFlaw(staticWith({ "54": text }), "54 amount")
  })

  it("refuses 14 characters", () => {
    expectFlaw(staticWith({ "54": "00000000001.00" }), "54 size")
  })

  it.each(["0", "0.", "0.0", "0.00", "000"])(
    "refuses %s without a facilitator, except in a lenient reading",
    (text) => {
      expectForgiven(staticWith({ "54": text }), "54 zero")
      expect(read(staticWith({ "54": text }), "lenient").code).toMatchObject({ amountCents: 0 })
      const withFacilitator = staticWith({ "54": text, "26": craftAccount(["01", "a@b.co"], ["03", "99999008"]) })
      expect(read(withFacilitator).code).toMatchObject({ amountCents: 0 })
    },
  )

  it("ignores the amount of a dynamic code; a strict reading refuses an ill-formed amount", () => {
    expect(read(dynamicWith({ "54": "1.00" })).code).not.toHaveProperty("amountCents")
    expect(read(dynamicWith({ "54": "0.00" })).code).not.toHaveProperty("amountCents")
    expectForgiven(dynamicWith({ "54": "1,00" }), "54 amount")
    expectForgiven(dynamicWith({ "54": "00000000001.00" }), "54 size")
  })

  it("blames unreadable fields on an earlier ill-formed amount, but only in a static code", () => {
    const misread = (code: string) => seal(`${code.slice(0, -8).replace("Fulano de Tal", "Fulano de Ta")}6304`)
    expectFlaw(misread(staticWith({ "54": "1,00" })), "54 amount")
    expectFlaw(misread(dynamicWith({ "54": "1,00" })), "00 length")
  })
})

describe("reading the txid", () => {
  const withTxid = (txid: string) => tlv("05", txid)

  it("reads *** as no txid", () => {
    expect(read(staticWith({})).code).not.toHaveProperty("txid")
  })

  it.each(["A", "z9", "x".repeat(25)])("accepts %s", (txid) => {
    expect(read(staticWith({ "62": withTxid(txid) })).code).toMatchObject({ txid })
  })

  it.each(["RP12345678-2019", "my_id", "-"])("forgives the punctuation of %s", (txid) => {
    expectForgiven(staticWith({ "62": withTxid(txid) }), "62.05 txid")
    expect(read(staticWith({ "62": withTxid(txid) }), "lenient").code).toMatchObject({ txid })
  })

  it("lists the flaws in earlier fields before the flaw in the txid", () => {
    const text = staticWith({ "59": "José", "62": withTxid("my_id") })
    expect(flawIn(text)).toBe("59 characters")
    expect(read(text, "lenient").forgiven.map(({ field }) => field)).toEqual(["59", "62.05"])
  })

  it.each(["**", "****", "*", "a b", "a.b", "x".repeat(26), "x-".repeat(13)])("refuses %s", (txid) => {
    expectFlaw(staticWith({ "62": withTxid(txid) }), "62.05 txid")
  })

  it("ignores the txid of a dynamic code", () => {
    const text = dynamicWith({ "62": withTxid("ABC123") })
    expect(read(text).code).not.toHaveProperty("txid")
    expectForgiven(dynamicWith({ "62": withTxid("x".repeat(35)) }), "62.05 txid")
    expectForgiven(dynamicWith({ "62": withTxid("*") }), "62.05 txid")
  })

  it("shows the other fields of field 62", () => {
    const { unrelated } = read(staticWith({ "62": `0503***${tlv("50", "0017BR.GOV.BCB.BRCODE01051.0.0")}` }))
    expect(unrelated).toEqual([{ field: "62.50", value: "0017BR.GOV.BCB.BRCODE01051.0.0" }])
  })
})

describe("the recurrence", () => {
  const offer = (url = "pix.example.com/rec/1", ...more: ReadonlyArray<readonly [string, string]>) =>
    craftAccount(["25", url], ...more)

  it.each(["80", "85", "99"])("is found in the recurrence template %s", (id) => {
    expect(read(staticWith({ [id]: offer() })).code).toMatchObject({
      _tag: "Static",
      recurrenceUrl: "pix.example.com/rec/1",
    })
    expect(read(staticWith({ "26": craftAccount(), [id]: offer() })).code).toMatchObject({ _tag: "Recurrence" })
  })

  it("isn't read from another arrangement's template", () => {
    expectFlaw(staticWith({ "26": craftAccount(), "80": tlv("00", "br.com.outro") }), "26 missing")
    expect(read(staticWith({ "80": tlv("00", "br.com.outro") })).code).not.toHaveProperty("recurrenceUrl")
  })

  it("is refused if it occurs twice or contains anything besides a URL", () => {
    expectFlaw(staticWith({ "80": offer(), "81": offer() }), "81 twoAccounts")
    expectFlaw(staticWith({ "80": craftAccount() }), "80.25 missing")
    expectFlaw(staticWith({ "80": offer("pix.example.com/rec/1", ["01", "a@b.co"]) }), "80.01 unexpected")
    expectFlaw(staticWith({ "83": offer("https://pix.example.com/rec/1") }), "83.25 urlScheme")
  })

  it("is refused without a key or URL if the account contains more than the GUI", () => {
    expectFlaw(staticWith({ "26": craftAccount(["02", "info"]), "80": offer() }), "26.02 unexpected")
  })

  it("must have the same host as the dynamic code's charge", () => {
    expect(read(dynamicWith({ "80": offer("PIX.EXAMPLE.COM/rec/1") })).code).toMatchObject({ _tag: "Dynamic" })
    expectFlaw(dynamicWith({ "80": offer("pix.example.com.br/rec/1") }), "80.25 sameHost")
    expectFlaw(dynamicWith({ "91": offer("rec.example.com/1") }), "91.25 sameHost")
  })

  it("can't be combined with a facilitator", () => {
    const cash = craftAccount(["01", "a@b.co"], ["03", "99999008"])
    expectFlaw(staticWith({ "26": cash, "80": offer() }), "26.03 facilitatorInComposite")
  })
})

describe("reading the structure", () => {
  it.each([
    ["04", "4111", "4222"],
    ["26", craftAccount(["01", "a@b.co"]), craftAccount(["01", "c@d.co"])],
    ["54", "1.00", "2.00"],
    ["59", "A", "B"],
    ["62", "0503***", "0503abc"],
    ["80", tlv("00", "br.com.outro"), tlv("00", "br.com.outro")],
  ])("refuses a repeated field %s", (id, first, second) => {
    expectFlaw(staticWith({ [id]: first, [`${id}b`]: second }), `${id} duplicate`)
    expectFlaw(staticWith({ [id]: first, [`${id}b`]: first }), `${id} duplicate`)
  })

  it("refuses a repeated field at any place", () => {
    const body = staticWith({}).slice(0, -8)
    expectFlaw(seal(`${body}5901Z6304`), "59 duplicate")
    expectFlaw(seal(`${body}0002016304`), "00 duplicate")
    expectFlaw(seal(`${staticWith({ "59": "Loja 🤖" }).slice(0, -8)}5802BR6304`), "58 duplicate")
    expect(read(seal(`${body}610150402116304`)).unrelated).toEqual([{ field: "04", value: "11" }])
  })

  it("refuses a repeated field inside a template", () => {
    expectFlaw(staticWith({ "26": craftAccount(["01", "a@b.co"], ["01", "c@d.co"]) }), "26.01 duplicate")
    expectFlaw(staticWith({ "62": "0503***0503abc" }), "62.05 duplicate")
    expectFlaw(staticWith({ "27": `${tlv("00", "br.com.outro")}${tlv("00", "br.gov.bcb.pix")}` }), "27.00 duplicate")
    expectFlaw(staticWith({ "64": "0002PT0002EN" }), "64.00 duplicate")
    expectFlaw(staticWith({ "80": `${tlv("00", "x")}${tlv("00", "y")}` }), "80.00 duplicate")
  })

  it("refuses an unreadable template of another arrangement", () => {
    expectFlaw(staticWith({ "27": "not a template" }), "27 id")
    expectFlaw(staticWith({ "27": "0020br.com.outro" }), "27.00 overrun")
    expectFlaw(staticWith({ "27": "0000" }), "27.00 length")
  })

  it("ends a template after its declared length, even if digits follow", () => {
    expectFlaw(staticWith({ "27": "000115" }), "27 id")
    expectFlaw(staticWith({ "27": "0001105" }), "27.05 length")
    expectFlaw(staticWith({ "27": "00011050" }), "27.05 length")
  })

  it("refuses a length of 00 or without digits", () => {
    expectFlaw(seal(staticWith({}).slice(0, -8) + "61006304"), "61 length")
    expectFlaw(seal(staticWith({}).slice(0, -8) + "61+16304"), "61 length")
    expectFlaw(seal(staticWith({}).slice(0, -8) + "61 16304"), "61 length")
    expectFlaw(seal(staticWith({}).slice(0, -8) + "61\u0661\u06616304"), "61 length")
  })

  it.each(["/1", ":1", "1/", "1:"])("refuses %s as id or length: / and : are next to the digits in ASCII", (pair) => {
    const body = staticWith({}).slice(0, -8)
    for (let size = 1; size < 30; size++) expectFlaw(seal(`${body}61${pair}${"x".repeat(size)}6304`), "61 length")
    expectFlaw(seal(`${body}${pair}01x6304`), "code id")
  })

  it("requires field 00 first", () => {
    const body = staticWith({}).slice(6, -8)
    expectFlaw(seal(`${body}6304`), "00 missing")
    expectFlaw(seal(`${body}0002016304`), "00 first")
    expectFlaw(seal(`010211000201${body}6304`), "00 first")
  })

  it("accepts the other fields in any order", () => {
    const fields = staticWith({ "54": "1.00" }).slice(6, -8)
    const account = fields.slice(0, 62)
    expect(read(seal(`000201${fields.slice(62)}${account}6304`)).code).toEqual(read(staticWith({ "54": "1.00" })).code)
  })

  it.each([" ", "\n", "x", "6304ABCD", "000201"])("refuses %j after the checksum", (tail) => {
    for (const reading of both) expect(flawIn(staticWith({}) + tail, reading)).not.toBe("nothing")
  })

  it.each([" ", "\n", "\ufeff", "x"])("refuses %j before the format", (head) => {
    for (const reading of both) expect(flawIn(head + staticWith({}), reading)).not.toBe("nothing")
    for (const reading of both) expect(flawIn(seal(head + staticWith({}).slice(0, -4)), reading)).toBe("code id")
  })

  it("counts lengths in characters and names a length in UTF-8 bytes", () => {
    expectForgiven(staticWith({ "60": "São Luís" }), "60 characters")
    expectForgiven(staticWith({ "59": "Loja 🤖" }), "59 characters")
    const bytes = staticWith({}).replace("6008BRASILIA", "6010São Luís").slice(0, -4)
    expectFlaw(seal(bytes), "60 bytes")
    const named = (field: string) => seal(bytes.replace("5913Fulano de Tal", field))
    for (const field of ["5909Loja 🤖", "5908Loja €", "5908Loja \u0800"]) expectFlaw(named(field), "59 bytes")
  })

  it("names the amount if its comma and wrong length make later fields unreadable", () => {
    expectFlaw(seal(staticWith({}).slice(0, -8).replace("5802BR", "54051,005802BR") + "6304"), "54 amount")
  })
})

describe("reading the checksum", () => {
  it("requires four upper-case digits over the whole text before it", () => {
    const text = staticWith({})
    const body = text.slice(0, -8)
    expectFlaw(body, "63 missing")
    expectFlaw(`${body}6304`, "63 overrun")
    expectFlaw(`${body}6303ABC`, "63 length")
    expectFlaw(`${body}6304WXYZ`, "63 hexadecimal")
    expectFlaw(`${body}63040000`, "63 crc")
    expectFlaw(`${body}6304ABC🤖`, "63 length")
    expectFlaw(`${body}63041\u00c13D`, "63 hexadecimal")
    expectForgiven(text.slice(0, -4) + text.slice(-4).toLowerCase(), "63 case")
    expectFlaw("6304", "63 overrun")
    expectFlaw("6304FFFF", "63 crc")
  })

  it("accepts a checksum with leading zeros", () => {
    const padded = Array.from({ length: 100 }, (_, i) => staticWith({ "62": tlv("05", `n${i}`) })).filter(
      (text) => text.at(-4) === "0",
    )
    expect(padded.length).toBeGreaterThan(0)
    for (const text of padded) expect(read(text).forgiven).toEqual([])
  })

  it("accepts the checksum 0000", () => {
    const text = staticWith({ "62": tlv("05", "60r4") })
    expect(text.slice(-4)).toBe("0000")
    expect(read(text)).toMatchObject({ code: { txid: "60r4" }, forgiven: [] })
  })

  it("names a checksum over Latin-1 bytes in the refusal", () => {
    const body = staticWith({ "60": "SÃO PAULO" }).slice(0, -4)
    const text = body + crcOfBytes([...body].map((character) => character.charCodeAt(0)))
    expectFlaw(text, "63 crc")
    expect(Result.getOrThrow(Result.flip(decodeBrCode(text))).message).toContain("Latin-1")
    const wrong = Result.getOrThrow(Result.flip(decodeBrCode(`${body}0000`)))
    expect(wrong.message).not.toContain("Latin-1")
  })
})

describe("reading characters", () => {
  it.each(["é", "ß", "—", "名", "🤖", "\u00a0"])("forgives %s in a text for people", (character) => {
    expectForgiven(staticWith({ "59": `A${character}` }), "59 characters")
    expectForgiven(staticWith({ "60": `A${character}` }), "60 characters")
    expectForgiven(staticWith({ "26": craftAccount(["01", "a@b.co"], ["02", character]) }), "26.02 characters")
    expectForgiven(staticWith({ "04": character }), "04 characters")
    expectForgiven(staticWith({ "27": tlv("00", `x${character}`) }), "27.00 characters")
    expectForgiven(staticWith({ "64": tlv("01", `x${character}`) }), "64.01 characters")
  })

  it.each(["\n", "\0", "\u007f", "\u0085", "\u2028", "\u202e", "\u2066", "\ud800", "\udfff"])(
    "refuses %j, which hides or breaks the text",
    (character) => {
      expectFlaw(staticWith({ "59": `A${character}B` }), "59 control")
      expectFlaw(staticWith({ "26": craftAccount(["01", "a@b.co"], ["02", character]) }), "26.02 control")
      expectFlaw(staticWith({ "59": "Padaria São João", "60": `A${character}B` }), "60 control")
    },
  )

  it.each([" ", "~"])("doesn't report %j, an edge of printable ASCII", (edge) => {
    const text = staticWith({ "59": "José", "60": `A${edge}B` })
    expect(read(text, "lenient").forgiven.map(({ field }) => field)).toEqual(["59"])
  })

  it("refuses non-ASCII characters in a URL", () => {
    expect(flawIn(dynamicWith({ "26": craftAccount(["25", "p\u0456x.example.com/x"]) }), "lenient")).toBe(
      "26.25 characters",
    )
  })
})

describe("the size limit", () => {
  const filler = (characters: number) => {
    const fields = Math.ceil(characters / 103)
    return Object.fromEntries(
      Array.from({ length: fields }, (_, i) => [String(65 + i), "x".repeat(Math.floor(characters / fields) - 4)]),
    )
  }

  it("accepts 512 characters and refuses 513", () => {
    const base = staticWith({}).length
    const exact = staticWith(filler(512 - base))
    const pad = 512 - exact.length
    const full = staticWith({ ...filler(512 - base), "59": `Fulano de Tal${"x".repeat(pad)}` })
    expect(full).toHaveLength(512)
    expect(read(full).unrelated.length).toBeGreaterThan(2)
    expectFlaw(staticWith({ ...filler(512 - base), "59": `Fulano de Tal${"x".repeat(pad + 1)}` }), "code size")
  })

  it("counts characters, not UTF-16 units", () => {
    const text = staticWith({ "65": "🤖".repeat(99), "66": "🤖".repeat(99), "67": "🤖".repeat(60) })
    expect([...text].length).toBeLessThan(512)
    expect(text.length).toBeGreaterThan(512)
    expectForgiven(text, "65 characters")
  })

  it("accepts 512 characters of any number of bytes, and refuses 513", () => {
    for (const wide of ["🤖".repeat(98) + "x", "🤖".repeat(99)]) {
      const base = { "65": wide, "66": wide, "67": wide }
      const room = 512 - [...staticWith({ ...base, "68": "" })].length
      expectForgiven(staticWith({ ...base, "68": "🤖".repeat(room) }), "65 characters")
      expectFlaw(staticWith({ ...base, "68": "🤖".repeat(room + 1) }), "code size")
    }
    expectFlaw("🤖".repeat(512), "code id")
  })

  it("refuses a text of millions of characters", () => {
    expectFlaw("0".repeat(50_000_000), "code size")
    expectFlaw("🤖".repeat(513), "code size")
  })
})

describe("a value that isn't a string", () => {
  it.each([undefined, null, 7, {}, [], true, new String("x"), Symbol("x")])("is refused: %s", (value) => {
    expect(flawIn(value as unknown as string)).toBe("code text")
  })

  it("an empty string is refused because it lacks field 00", () => {
    expectFlaw("", "00 missing")
  })
})

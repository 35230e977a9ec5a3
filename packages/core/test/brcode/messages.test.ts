import { decodeBrCode, encodeBrCode } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { craftAccount, crcOfBytes, dynamicWith, seal, staticWith, tlv } from "./craft.ts"
import { read } from "./readings.ts"

const messageOf = (result: Result.Result<unknown, Error>): string => Result.getOrThrow(Result.flip(result)).message

const merchant = { merchantName: "Fulano", merchantCity: "Recife" }
const url = "pix.example.com/x"
const noUrl = "26.25 does not start with a full domain name"
const noPath = "26.25 has no path to a charge, or a path that RFC 3986 does not allow"
const noText = "has characters outside printable ASCII"

describe("the message about a value that can't be written", () => {
  it.each([
    [{ _tag: "Other" }, "code must be Static, Dynamic or Recurrence"],
    [{ key: "" }, "26.01 is missing: a static code needs a PIX key"],
    [{ key: "a".repeat(78) }, "26.01 has 78 characters, 77 at most"],
    [{ key: "11987654321" }, "26.01 has wrong check digits for a CPF; a phone is written with +55"],
    [{ key: "12345678000196" }, "26.01 has wrong check digits for a CNPJ"],
    [{ key: "Ana" }, "26.01 is no CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key"],
    [{ description: "" }, "26.02 is missing"],
    [{ description: "d".repeat(100) }, "26.02 has 100 characters, 99 at most"],
    [{ description: "ã" }, `26.02 ${noText}`],
    [{ facilitator: "1" }, "26.03 must be an ISPB of 8 digits or capitals"],
    [{ description: "d".repeat(68) }, "26 needs 100 characters for GUI, key, description and facilitator, 99 at most"],
    [{ amountCents: -1 }, "54 must be a whole, non-negative number of centavos"],
    [{ amountCents: Number.MAX_SAFE_INTEGER }, "54 needs more than 13 characters"],
    [{ amountCents: 0 }, "54 must not be zero without a facilitator (Pix Saque)"],
    [{ txid: "/" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: ":" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: "@" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: "[" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: "`" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: "{" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ txid: "a-b" }, "62.05 must be 1 to 25 letters and digits, or be left out"],
    [{ facilitator: "99999008", recurrenceUrl: url }, "26.03 can't be combined with a recurrence"],
    [{ merchantName: "" }, "59 is missing"],
    [{ merchantName: " " }, "59 is blank, or has a blank at an end"],
    [{ merchantName: "Fulano " }, "59 is blank, or has a blank at an end"],
    [{ merchantName: "n".repeat(26) }, "59 has 26 characters, 25 at most"],
    [{ merchantName: "名" }, `59 ${noText}`],
    [{ merchantCity: "" }, "60 is missing"],
    [{ merchantCity: " Recife" }, "60 is blank, or has a blank at an end"],
    [{ merchantCity: "c".repeat(16) }, "60 has 16 characters, 15 at most"],
    [{ merchantCity: "名" }, `60 ${noText}`],
    [{ postalCode: "" }, "61 is missing"],
    [{ postalCode: "p".repeat(100) }, "61 has 100 characters, 99 at most"],
    [{ postalCode: "ã" }, `61 ${noText}`],
    [{ merchantCategoryCode: "1" }, "52 must be a merchant category code of four digits"],
    [{ pointOfInitiation: "12" }, "01 must be reusable or singleUse"],
    [{ recurrenceUrl: "" }, "80.25 is missing: a URL"],
    [{ _tag: "Dynamic", url: "" }, "26.25 is missing: a URL"],
    [{ _tag: "Dynamic", url: `${url}${"x".repeat(61)}` }, "26.25 has 78 characters, 77 at most"],
    [{ _tag: "Dynamic", url: `${url}ã` }, `26.25 ${noText}`],
    [{ _tag: "Dynamic", url: `https://${url}` }, "26.25 contains a scheme; HTTPS is implied"],
    [{ _tag: "Dynamic", url: `ana@${url}` }, "26.25 contains user information"],
    [{ _tag: "Dynamic", url: "pix.example.com:443/x" }, "26.25 contains a port"],
    [{ _tag: "Dynamic", url: "localhost/x" }, noUrl],
    [{ _tag: "Dynamic", url: `${"a".repeat(64)}.co/x` }, noUrl],
    [{ _tag: "Dynamic", url: `${url}?y` }, "26.25 contains a query or a fragment"],
    [{ _tag: "Dynamic", url: "pix.example.com" }, noPath],
    [{ _tag: "Dynamic", url, recurrenceUrl: "rec.example.com/x" }, "80.25 must have the same host as 26.25"],
    [
      { _tag: "Dynamic", url, recurrenceUrl: "rec.example.com/pix.example.com/" },
      "80.25 must have the same host as 26.25",
    ],
    [{ _tag: "Recurrence" }, "80.25 is missing: a URL"],
  ])("explains the value %j", (changes, message) => {
    expect(messageOf(encodeBrCode({ _tag: "Static", key: "a@b.co", ...merchant, ...changes } as never))).toBe(message)
  })
})

const body = staticWith({}).slice(0, -8)
const sealed = (more: string): string => seal(`${body}${more}6304`)
const paying = (...fields: ReadonlyArray<readonly [string, string]>) => staticWith({ "26": craftAccount(...fields) })

describe("the message about a text that can't be read", () => {
  it.each([
    [7 as never, "code is not a string"],
    ["0".repeat(513), "code has more than 512 characters"],
    ["no BR Code", "code has no field id of two digits at its character 1"],
    [sealed("x"), `code has no field id of two digits at its character ${body.length + 1}`],
    [staticWith({ "27": "00011x" }), "27 has no field id of two digits at its character 6"],
    [staticWith({ "27": "0🤖" }), "27 has no field id of two digits at its character 1"],
    [staticWith({ "27": "0001🤖x" }), "27 has no field id of two digits at its character 6"],
    [sealed("6100"), "61 must declare its length in two digits, 01 to 99"],
    [staticWith({ "27": "0005abc" }), "27.00 declares 5 characters where 3 are left"],
    [staticWith({ "27": "0005🤖bc" }), "27.00 declares 5 characters where 3 are left"],
    [sealed("5802BR"), "58 occurs twice"],
    [seal(staticWith({}) + "6104abcd").slice(0, -4), "63 must be the last field"],
    [staticWith({ "00": undefined }), "00 is missing: a BR Code starts with 000201"],
    [seal(`010211${body}6304`), "00 must be the first field"],
    [body, "63 is missing: a BR Code ends in its checksum"],
    [staticWith({ "26": undefined }), "26 is missing: no account from 26 to 51 says where to pay"],
    [
      staticWith({ "26": undefined, "27": tlv("00", "br.com.outro"), "28": tlv("00", "br.com.terceiro") }),
      "27 is not of br.gov.bcb.pix, nor is any account from 26 to 51",
    ],
    [staticWith({ "52": undefined }), "52 is missing"],
    [staticWith({ "53": undefined }), "53 is missing"],
    [staticWith({ "58": undefined }), "58 is missing"],
    [staticWith({ "59": undefined }), "59 is missing"],
    [staticWith({ "60": undefined }), "60 is missing"],
    [staticWith({ "62": undefined }), "62 is missing: it holds at least 0503***"],
    [staticWith({ "62": "0703abc" }), "62.05 is missing: it must be *** for no txid"],
    [staticWith({ "00": "02" }), "00 must be 01"],
    [staticWith({ "01": "10" }), "01 must be 11 or 12"],
    [staticWith({ "52": "ABCD" }), "52 must be a merchant category code of four digits"],
    [staticWith({ "53": "840" }), "53 must be 986"],
    [staticWith({ "58": "US" }), "58 must be BR"],
    [staticWith({ "51": craftAccount(["01", "a@b.co"]) }), "51 is of Pix, but so is 26; only one can be"],
    [paying(["01", "a@b.co"], ["25", url]), "26.25 can't be combined with a key"],
    [paying(["01", "a b"]), "26.01 has a space or is not printable ASCII"],
    [paying(["01", "a@b.co"], ["03", "1"]), "26.03 must be an ISPB of 8 digits or capitals"],
    [paying(), "26 has neither a key (01) nor a URL (25)"],
    [paying(["25", url], ["08", "later"], ["07", "x"]), "26.08 has no place in this template"],
    [staticWith({ "80": craftAccount() }), "80.25 is missing: the location of the recurrence"],
    [dynamicWith({ "91": craftAccount(["25", "a.co/x"]) }), "91.25 must have the same host as 26.25"],
    [staticWith({ "54": "1,00" }), "54 must be digits with at most a point and two decimals"],
    [staticWith({ "54": "00000000001.00" }), "54 has 14 characters, 13 at most"],
    [staticWith({ "59": "n".repeat(26) }), "59 has 26 characters, 25 at most"],
    [staticWith({ "60": "c".repeat(16) }), "60 has 16 characters, 15 at most"],
    [staticWith({ "60": "São" }), `60 ${noText}`],
    [staticWith({ "62": `0503***${tlv("50", "ã")}` }), `62.50 ${noText}`],
    [staticWith({ "60": "S\u0007" }), "60 has control or direction characters"],
    [
      seal(body.replace("6008BRASILIA", "6010São Luís") + "6304"),
      "60 declares its length in UTF-8 bytes, not in characters",
    ],
    [`${body}6303ABC`, "63 must have four digits"],
    [`${body}6304WXYZ`, "63 must be four hexadecimal digits"],
    [`${body}63040000`, `63 is 0000, and the text before it gives ${sealed("").slice(-4)}`],
  ])("explains the text %j", (text, message) => {
    expect(messageOf(decodeBrCode(text))).toBe(message)
  })

  it("names a checksum over Latin-1 bytes, with digits in capitals or small letters", () => {
    const before = staticWith({ "60": "SÃO PAULO" }).slice(0, -4)
    const right = staticWith({ "60": "SÃO PAULO" }).slice(-4)
    const latin1 = crcOfBytes([...before].map((character) => character.charCodeAt(0)))
    for (const written of [latin1, latin1.toLowerCase()]) {
      expect(messageOf(decodeBrCode(before + written))).toBe(
        `63 is ${written}, and the text before it gives ${right}; it was computed over ISO 8859-1 (Latin-1) bytes instead of UTF-8`,
      )
    }
  })

  it("lists everything that a lenient reading forgives, in the order of the checks", () => {
    const text = dynamicWith({ "54": "1,00", "59": "ã".repeat(26), "62": tlv("05", "a-b"), "04": "é" })
    expect(
      read(text.slice(0, -4) + text.slice(-4).toLowerCase(), "lenient").forgiven.map(({ message }) => message),
    ).toEqual([
      "63 is written with small letters",
      "59 has 26 characters, 25 at most",
      `04 ${noText}`,
      `59 ${noText}`,
      "54 must be digits with at most a point and two decimals",
      "62.05 must be 1 to 25 letters and digits, or be left out",
    ])
  })
})

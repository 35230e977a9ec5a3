import { runInNewContext } from "node:vm"
import {
  type ChargeRequestField,
  type ChargeRequestInput,
  latestDueDate,
  parseChargeRequest,
} from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import { arbitrary } from "@pixcharge/adapter-tests/fixtures"
import { parseDueDate } from "../../src/model/charge/ChargeRequest.ts"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const request: ChargeRequestInput = { id: "6F9619FF-8B86-D011-B42D-00CF4FC964FF", amountCents: 1990 }
const payer = { name: "Ana Souza", taxId: "529.982.247-25" }

const refusedField = (input: ChargeRequestInput): ChargeRequestField | "none" => {
  const parsed = parseChargeRequest(input)
  return Result.isFailure(parsed) ? parsed.failure.field : "none"
}

const parsed = (input: ChargeRequestInput) => Result.getOrThrow(parseChargeRequest(input))

describe("a charge request", () => {
  it("accepts a UUID of any case and version, and returns it in lower case", () => {
    expect(parsed(request)).toEqual({ id: request.id.toLowerCase(), amountCents: 1990 })
    expect(refusedField({ ...request, id: "00000000-0000-0000-0000-000000000000" })).toBe("none")
  })

  it.each([
    "",
    "6f9619ff8b86d011b42d00cf4fc964ff",
    "{6f9619ff-8b86-d011-b42d-00cf4fc964ff}",
    " 6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff\n",
    "6f9619ff-8b86-d011-b42d-00cf4fc964fg",
    "6f9619ff-8b86-d011-b42d-00cf4fc964f",
    "6f9619ff-8b86-d011-b42d00-cf4fc964ff",
    "ⅵf9619ff-8b86-d011-b42d-00cf4fc964ff",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff0",
    "6f9619ff08b86-d011-b42d-00cf4fc964ff",
  ])("refuses an id that is no UUID: %j", (id) => {
    expect(refusedField({ ...request, id })).toBe("id")
  })

  it.each([undefined, null, "6f9619ff-8b86-d011-b42d-00cf4fc964ff", 1990])(
    "refuses a value that isn't an object: %j",
    (input) => {
      expect(refusedField(input as never)).toBe("id")
    },
  )

  it("accepts 0.01 to 9 999 999 999.99 reais in whole cents", () => {
    for (const amountCents of [1, 1990, 999_999_999_999]) expect(refusedField({ ...request, amountCents })).toBe("none")
    for (const amountCents of [0, -1, 0.5, 1.5, 1_000_000_000_000, Number.NaN, Infinity, -0, 2 ** 60, "1" as never]) {
      expect(refusedField({ ...request, amountCents })).toBe("amount")
    }
  })

  it("reads a due date and ignores its time of day", () => {
    for (const dueDate of ["2026-07-01", "2026-07-01T00:00:00", "2026-07-01T23:59:59"]) {
      expect(parsed({ ...request, dueDate }).dueDate).toBe("2026-07-01")
    }
  })

  it.each([
    "",
    "2026-02-29",
    "2026-13-01",
    "2026-7-1",
    "01/07/2026",
    "2026-07-01T24:00:00",
    "2026-07-01T12:60:00",
    "2026-07-01T12:00",
    "2026-07-01T12:00:00.000",
    "2026-07-01T12:00:00Z",
    "2026-07-01T12:00:00-03:00",
    "2026-07-01 12:00:00",
    "2026-07-01\n",
    "+02026-07-01",
  ])("refuses a due date of another form: %j", (dueDate) => {
    expect(refusedField({ ...request, dueDate })).toBe("dueDate")
    expect(Result.isFailure(parseDueDate(dueDate))).toBe(true)
  })

  it("composes the accents of a payer's name", () => {
    const parsedName = (name: string) => parsed({ ...request, payer: { ...payer, name } }).payer?.name
    expect(parsedName("Jose\u0301")).toBe("Jos\u00e9")
    expect(parsedName("Jos\u00e9")).toBe("Jos\u00e9")
  })

  it("removes the tax id's punctuation and the name's outer spaces", () => {
    expect(parsed({ ...request, payer: { ...payer, name: "  Ana Souza " } }).payer).toEqual({
      name: "Ana Souza",
      taxId: "52998224725",
    })
    expect(parsed({ ...request, payer: { name: "Loja", taxId: "12.ABC.345/01DE-35" } }).payer?.taxId).toBe(
      "12ABC34501DE35",
    )
  })

  it("accepts a name of 1 to 200 characters, counted in code points", () => {
    for (const name of ["A", "é".repeat(200), "🦜".repeat(200)]) {
      expect(refusedField({ ...request, payer: { ...payer, name } })).toBe("none")
    }
    for (const name of ["", "   ", "\u00a0", "a".repeat(201), "🦜".repeat(201)]) {
      expect(refusedField({ ...request, payer: { ...payer, name } })).toBe("payer.name")
    }
  })

  it.each([
    "\u200b",
    "\u200b \u200d",
    "\u00ad",
    "\u2060",
    "\ufeff",
    "\u180e",
    "\u115f",
    "\u3164",
    "\u2800",
    "\ufe0f",
    "\u0301",
  ])("refuses a name of invisible characters only: %j", (name) => {
    expect(refusedField({ ...request, payer: { ...payer, name } })).toBe("payer.name")
    expect(refusedField({ ...request, payer: { ...payer, name: `${name}A${name}` } })).toBe("none")
  })

  it.each(["\n", "\t", "\0", "\u007f", "\u0085", "\u2028", "\u202e", "\u2066", "\u200f", "\u061c", "\ud800"])(
    "refuses a control or bidirectional character in the name: %j",
    (character) => {
      expect(refusedField({ ...request, payer: { ...payer, name: `Ana${character}Souza` } })).toBe("payer.name")
    },
  )

  it.each(["52998224724", "11111111111", "5299822472", "", "12345678000194", "CPF 529.982.247-25"])(
    "refuses a tax id that is no CPF or CNPJ: %j",
    (taxId) => {
      expect(refusedField({ ...request, payer: { ...payer, taxId } })).toBe("payer.taxId")
    },
  )

  it("names the first broken field without its value", () => {
    expect(refusedField({ ...request, id: "x", amountCents: 0 })).toBe("id")
    expect(refusedField({ ...request, amountCents: 0, dueDate: "x" })).toBe("amount")
    expect(refusedField({ ...request, dueDate: "x", payer: { name: "", taxId: "" } })).toBe("dueDate")
    const failure = parseChargeRequest({ ...request, payer: { name: "Segredo\n", taxId: "52998224725" } })
    expect(JSON.stringify(failure)).not.toContain("Segredo")
  })

  it("a parsed request stays the same when it is parsed again", () => {
    fc.assert(
      fc.property(arbitrary.chargeRequest, (input) => {
        const once = parsed(input)
        expect(parsed({ ...once, ...once.requested })).toEqual(once)
        expect(once.id).toBe(input.id.toLowerCase())
        expect("dueDate" in once).toBe(input.dueDate !== undefined)
        expect("payer" in once).toBe(input.payer !== undefined)
      }),
    )
  })
})

describe("the latest due date", () => {
  it("is five years after today", () => {
    expect(latestDueDate("2026-06-03" as LocalDate)).toBe("2031-06-03")
    expect(latestDueDate("2028-02-29" as LocalDate)).toBe("2033-02-28")
  })
})

describe("the fields that only a host can set", () => {
  it("accept a validity from a minute to 30 days; the default is 600 seconds", () => {
    for (const payableForSeconds of [60, 61, 3600, 2_592_000]) {
      expect(parsed({ ...request, payableForSeconds })).toMatchObject({ payableForSeconds })
    }
    expect(parsed({ ...request, payableForSeconds: 600 })).toEqual(parsed(request))
    for (const payableForSeconds of [0, -1, 59, 2_592_001, 60.5, Number.NaN, Infinity, "600" as never, null as never]) {
      expect(refusedField({ ...request, payableForSeconds })).toBe("payableForSeconds")
    }
  })

  it("refuse a validity together with a due date", () => {
    expect(refusedField({ ...request, dueDate: "2026-07-01", payableForSeconds: 600 })).toBe("payableForSeconds")
  })

  it("trim and compose a message of 1 to 140 characters", () => {
    expect(parsed({ ...request, messageToPayer: " Pa\u0303o & cafe\u0301 " })).toMatchObject({
      messageToPayer: "P\u00e3o & caf\u00e9",
    })
    expect(refusedField({ ...request, messageToPayer: "a\u0303".repeat(140) })).toBe("none")
    for (const messageToPayer of ["", "  ", "a".repeat(141), "duas\nlinhas", "a\0", "a\u007f", "a\u0085", 7 as never]) {
      expect(refusedField({ ...request, messageToPayer })).toBe("messageToPayer")
    }
  })

  it.each(["🦜", "名前", "“aspas”", "\u202eavliS", "a\u00adb", "\u00ad", "€", "\ud83e", null as never])(
    "refuse a text that banks can't show: %j",
    (text) => {
      expect(refusedField({ ...request, messageToPayer: text })).toBe("messageToPayer")
      expect(refusedField({ ...request, additionalInfo: [{ name: text, value: "a" }] })).toBe("additionalInfo")
      expect(refusedField({ ...request, additionalInfo: [{ name: "a", value: text }] })).toBe("additionalInfo")
    },
  )

  it("accept up to 50 lines, with names of up to 50 and values of up to 200 characters", () => {
    const line = { name: "n".repeat(50), value: "v".repeat(200) }
    const fifty = Array.from({ length: 50 }, () => line)
    expect(parsed({ ...request, additionalInfo: fifty })).toMatchObject({ additionalInfo: fifty })
    expect(parsed({ ...request, additionalInfo: [{ ...line, name: " Mesa ", more: 1 } as never] })).toMatchObject({
      additionalInfo: [{ name: "Mesa", value: line.value }],
    })
    expect(parsed({ ...request, additionalInfo: [] })).toEqual(parsed(request))
    const refused = [
      [...fifty, line],
      [{ ...line, name: "n".repeat(51) }],
      [{ ...line, value: "v".repeat(201) }],
      [{ name: "Mesa" }],
      [null],
      "Mesa",
      { 0: line, length: 1 },
      null,
    ]
    for (const additionalInfo of refused) {
      expect(refusedField({ ...request, additionalInfo: additionalInfo as never })).toBe("additionalInfo")
    }
  })

  it("accept a reference of up to 100 characters, trimmed and composed", () => {
    expect(parsed({ ...request, reference: " Pedido n\u00ba 7 🦜 名前 Sa\u0303o " })).toMatchObject({
      reference: "Pedido n\u00ba 7 🦜 名前 S\u00e3o",
    })
    for (const reference of ["a", "r".repeat(100), "🦜".repeat(100)])
      expect(parsed({ ...request, reference })).toMatchObject({ reference })
    expect(parsed({ ...request, reference: undefined })).toEqual(parsed(request))
    for (const reference of ["", "  ", "\u200b", "r".repeat(101), "a\nb", "a\0", "\ud83e", "\u202ea", 7, null, ["a"]])
      expect([reference, refusedField({ ...request, reference: reference as never })]).toEqual([reference, "reference"])
  })

  it("accept up to 20 texts of metadata, with names of up to 40 and values of up to 500 characters", () => {
    const twenty = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}`.padStart(40, "n"), "v".repeat(500)]),
    )
    const odd = { "Nome 🦜": "", "a b": " linha 1\nlinha 2\t", toString2: "x", ["🦜".repeat(40)]: "🦜".repeat(500) }
    for (const metadata of [twenty, odd, Object.assign(Object.create(null) as object, { a: "b" })]) {
      expect(parsed({ ...request, metadata: metadata as never })).toMatchObject({ metadata: { ...metadata } })
    }
    const elsewhere = runInNewContext("({ a: 'b' })") as Record<string, string>
    expect(parsed({ ...request, metadata: elsewhere })).toMatchObject({ metadata: { a: "b" } })
    expect(parsed({ ...request, metadata: {} })).toEqual(parsed(request))
  })

  it.each<readonly [string, unknown]>([
    ["21 texts", Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`n${index}`, "v"]))],
    ["a name of 41 characters", { ["n".repeat(41)]: "v" }],
    ["a name without a character", { "": "v" }],
    ["a name with a line break", { "a\nb": "v" }],
    ["a name with NUL", { "a\0": "v" }],
    ["half a surrogate pair in a name", { "\ud83e": "v" }],
    ["the name __proto__", JSON.parse('{"a": "b", "__proto__": "v"}')],
    ["the name constructor", { constructor: "v" }],
    ["the name toString", { toString: "v" }],
    ["the name hasOwnProperty", { hasOwnProperty: "v" }],
    ["a value of 501 characters", { a: "v".repeat(501) }],
    ["a value with NUL", { a: "b\0" }],
    ["half a surrogate pair", { a: "\ud83e" }],
    ["a number", { a: 1 }],
    ["undefined", { a: undefined }],
    ["null", { a: null }],
    ["an object", { a: { b: "c" } }],
    ["a list", ["a"]],
    ["a Map", new Map([["a", "b"]])],
    ["an instance of a class", new URL("https://loja.example.com")],
    ["a prototype of its own", Object.create({ a: "b" })],
    ["a text", "a"],
    ["nothing", null],
  ])("refuse metadata with %s", (_, metadata) => {
    expect(refusedField({ ...request, metadata: metadata as never })).toBe("metadata")
  })

  it("keep a copy of the metadata", () => {
    const metadata: Record<string, string> = { a: "b" }
    const kept = parsed({ ...request, metadata })
    metadata["a"] = "c"
    expect(kept).toMatchObject({ metadata: { a: "b" } })
  })

  it("an error names the field and its rule, but not its value", () => {
    const refusal = parseChargeRequest({ ...request, messageToPayer: "segredo 🦜" })
    expect(Result.isFailure(refusal) && refusal.failure.message).toMatch(
      /^The charge's messageToPayer must have 1 to 140/,
    )
    expect(Result.isFailure(refusal) && refusal.failure.message).not.toContain("segredo")
  })
})

describe("a payer's contact", () => {
  const address = { street: "Rua das Flores, 12", city: "São Paulo", state: "SP", postalCode: "01310-100" }
  const refusedContact = (contact: object, dueDate: string | undefined = "2026-07-01") =>
    refusedField({ ...request, dueDate, payer: { ...payer, ...contact } } as ChargeRequestInput)

  it("is refused without a due date", () => {
    for (const [contact, field] of [
      [{ email: "ana@example.com" }, "payer.email"],
      [{ address }, "payer.address"],
    ] as const) {
      expect(refusedContact(contact)).toBe("none")
      expect(refusedField({ ...request, payer: { ...payer, ...contact } })).toBe(field)
    }
    expect(refusedField({ ...request, payer: { ...payer, email: undefined, address: undefined } })).toBe("none")
  })

  it.each([
    "",
    "ana",
    "ana@",
    "@example.com",
    "a b@example.com",
    "a@b@c",
    "ana@example.com\n",
    "çã@example.com",
    7,
    null,
  ])("has an e-mail address, not %j", (email) => {
    expect(refusedContact({ email })).toBe("payer.email")
  })

  it("has an e-mail address of at most 254 characters", () => {
    expect(refusedContact({ email: `${"a".repeat(248)}@b.com` })).toBe("none")
    expect(refusedContact({ email: `${"a".repeat(249)}@b.com` })).toBe("payer.email")
  })

  it.each([
    ["street", ""],
    ["street", "a".repeat(201)],
    ["street", "Rua\nA"],
    ["street", undefined],
    ["city", " "],
    ["city", null],
    ["state", "S"],
    ["state", "sp"],
    ["state", "SPX"],
    ["postalCode", "1310100"],
    ["postalCode", "01310 100"],
    ["postalCode", 1_310_100],
  ])("has a whole address: its %s isn't %j", (name, value) => {
    expect(refusedContact({ address: { ...address, [name]: value } })).toBe("payer.address")
    expect(refusedContact({ address: "Rua A" })).toBe("payer.address")
  })
})

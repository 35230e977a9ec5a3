import {
  type CallbackInput,
  type CompanyInput,
  type HostCompany,
  type HostKey,
  type InvalidRegistration,
  keyHolder,
  parseCompany,
  parseReseller,
  type ResellerInput,
} from "@pixcharge/core/directory"
import { aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseHostCompany } from "../../src/model/directory/HostCompany.ts"

const company: CompanyInput = { cnpj: aCnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
const row: HostCompany = { cnpj: aCnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
const reseller: ResellerInput = { cnpj: anotherCnpj, name: "Revenda" }
const callback: CallbackInput = { url: "https://loja.example.com/pix", secrets: [`whsec_${btoa("x".repeat(24))}`] }
const registered = { cnpj: anotherCnpj, name: "Revenda", walletActive: true }

/** The refused field and the company or reseller that it belongs to. */
const refusal = (parsed: Result.Result<unknown, InvalidRegistration>) =>
  Result.match(parsed, { onSuccess: () => "none", onFailure: ({ cnpj, field }) => `${field} of ${cnpj}` })

describe("a company's registration", () => {
  it.each<Partial<CompanyInput>>([
    { graceDays: 1 },
    { graceDays: 3_650 },
    { name: "a".repeat(200) },
    { integratorKey: "doze letras," },
    { callback },
  ])("accepts %j", (over) => {
    expect(refusal(parseCompany({ ...company, ...over }, undefined))).toBe("none")
  })

  it.each<Partial<CompanyInput>>([
    { graceDays: 0 },
    { graceDays: 3_651 },
    { graceDays: 1.5 },
    { graceDays: "5" as never },
    { name: "a".repeat(201) },
    { name: 5 as never },
    { city: "Re\ncife" },
    { pixKey: 5 as never },
    { integratorKey: "" },
    { integratorKey: "onze letras" },
    { reseller: anotherCnpj },
  ])("refuses %j", (over) => {
    expect(refusal(parseCompany({ ...company, ...over }, undefined))).toBe(`${Object.keys(over)[0]} of ${aCnpj}`)
  })

  it("trims its names", () => {
    const padded = { ...company, name: " Padaria Aurora ", city: " Recife\u00a0" }
    expect(Result.getOrThrow(parseCompany(padded, undefined)).company).toMatchObject({
      name: "Padaria Aurora",
      city: "Recife",
    })
  })

  it("refuses a key or callback that belongs to its reseller", () => {
    const itself = { ...registered, cnpj: aCnpj }
    expect(refusal(parseCompany({ ...company, integratorKey: "chave" }, registered))).toBe(`integratorKey of ${aCnpj}`)
    expect(refusal(parseCompany({ ...company, callback }, itself))).toBe(`callback of ${aCnpj}`)
    expect(refusal(parseCompany({ ...company, callback }, registered))).toBe("none")
  })
})

describe("a reseller's registration", () => {
  it.each<Partial<ResellerInput>>([{ integratorKey: "onze letras" }, { name: " " }])(
    "refuses a reseller with %j",
    (over) => {
      expect(refusal(parseReseller({ ...reseller, ...over }))).toBe(`${Object.keys(over)[0]} of ${anotherCnpj}`)
    },
  )

  it("gets a callback endpoint named by its CNPJ, with paid events by default", () => {
    const { callback: endpoint } = Result.getOrThrow(
      parseReseller({ ...reseller, cnpj: "11.222.333/0001-81", callback }),
    )
    expect(endpoint).toMatchObject({ id: `callback-${anotherCnpj}`, kinds: ["paid"], status: "enabled" })
    expect(endpoint?.target._tag === "Http" && endpoint.target.secrets.map(String)).toEqual([
      "<redacted:callback secret>",
    ])
  })

  it.each([
    ["url", "ftp://loja.example.com/"],
    ["url", "//loja.example.com/"],
    ["url", "https://"],
    ["url", "https:///pix"],
    ["url", "https://loja.example.com/ pix"],
    ["url", " https://loja.example.com/"],
    ["secrets", []],
    ["secrets", [...callback.secrets, "whsec_"]],
    ["secrets", [`whsec_${btoa("x".repeat(23))}`]],
    ["kinds", ["paid", "pago"]],
  ])("refuses a callback with the %s %j", (field, value) => {
    const wrong = { ...callback, [field]: value }
    expect(refusal(parseReseller({ ...reseller, callback: wrong }))).toBe(`callback.${field} of ${anotherCnpj}`)
  })
})

describe("a host's own row", () => {
  const parse = (over: Partial<HostCompany>) => parseHostCompany({ ...company, ...over } as HostCompany)

  it.each<HostKey>([
    "",
    { key: "chave" } as never,
    5 as never,
    { kid: "", hmac: "a".repeat(64) },
    { hmac: "a".repeat(64) } as never,
    ...["a".repeat(63), "a".repeat(65), "A".repeat(64), "g".repeat(64)].map((hmac) => ({ kid: "1", hmac })),
  ])("refuses the key %j of the company or its reseller", (integratorKey) => {
    expect(refusal(parse({ integratorKey }))).toBe(`integratorKey of ${aCnpj}`)
    expect(refusal(parse({ reseller: { ...reseller, integratorKey } }))).toBe(`integratorKey of ${anotherCnpj}`)
  })

  it("gives a company its own key, or the key of its associated reseller", () => {
    const credentialOf = (over: Partial<HostCompany>) => Result.getOrThrow(parse(over)).credential
    const own = credentialOf({ integratorKey: "chave" })
    expect(own?.holder).toBe(aCnpj)
    expect(own?.key._tag === "Plain" && Redacted.value(own.key.key)).toBe("chave")
    const joint = { ...reseller, integratorKey: { kid: "2", hmac: "a".repeat(64) } }
    expect(credentialOf({ reseller: joint })).toEqual({
      holder: anotherCnpj,
      key: { _tag: "Digest", kid: "2", hmac: "a".repeat(64) },
    })
    expect(credentialOf({ reseller: { ...joint, associated: false } })).toBeUndefined()
    expect(credentialOf({ reseller })).toBeUndefined()
    expect(refusal(parse({ reseller: joint, integratorKey: "chave" }))).toBe(`integratorKey of ${aCnpj}`)
  })

  it("uses the reseller's own key for charges that the reseller itself issues, associated or not", () => {
    const { company: itself } = Result.getOrThrow(parse({ reseller: { ...reseller, cnpj: aCnpj, associated: false } }))
    expect(keyHolder(itself)).toBe(aCnpj)
  })
})

describe("the message about an invalid registration", () => {
  const text = "must have 1 to 200 characters, one of them visible, and no control characters"
  const secrets = "callback.secrets must be whsec_ and 24 to 64 bytes in Base64 each"
  const itself = { ...registered, cnpj: aCnpj }
  const resellersKey = "integratorKey is not the company's own: a company of a reseller uses the reseller's key"
  const problemOf = (parsed: Result.Result<unknown, InvalidRegistration>, of: string = aCnpj) => {
    const start = `The registration of ${of} can't be used: `
    const { message } = Result.getOrThrow(Result.flip(parsed))
    expect(message.slice(0, start.length)).toBe(start)
    return message.slice(start.length).replace(/\.$/, "")
  }

  it.each<[Partial<CompanyInput>, string]>([
    [{ name: "" }, `name ${text}`],
    [{ name: "\u200b" }, `name ${text}`],
    [{ city: "" }, `city ${text}`],
    [{ pixKey: "" }, `pixKey ${text}`],
    [
      { pixKey: "Loja" },
      "pixKey is no CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key",
    ],
    [{ graceDays: 0 }, "graceDays must be a whole number from 1 to 3650"],
    [{ fees: null as never }, "fees must be an object"],
    [{ fees: "none" as never }, "fees must be an object"],
    [{ fees: { fine: {} as never } }, "fees.fine must be of a known kind"],
    [{ genericPayer: { name: "", taxId: aCnpj } }, `genericPayer.name ${text}`],
    [
      { genericPayer: { name: "Ana", taxId: "1" } },
      "genericPayer.taxId must be a CPF or CNPJ with right check digits, with or without punctuation",
    ],
    [{ localHolidays: ["2026-07-09", "9/7"] }, "localHolidays must be a list of existing days, written YYYY-MM-DD"],
    [
      { reseller: anotherCnpj },
      "reseller must be the CNPJ of a registered reseller: list it among the resellers, or register it first",
    ],
    [{ integratorKey: "onze letras" }, "integratorKey must have at least 12 characters"],
    [{ callback: { ...callback, url: "ftp://a.co" } }, "callback.url must be an http or https URL"],
    [
      { callback: { ...callback, secrets: [] } },
      "callback.secrets must be a list of at least one secret, because events are signed",
    ],
    [{ callback: { ...callback, secrets: ["x"] } }, secrets],
    [
      { callback: { ...callback, kinds: ["x" as never] } },
      "callback.kinds must be a list of paid, refunded, part-refunded, refund-failed, expired, cancelled, exception, exception-returned, recurrence-approved, recurrence-ended, cycle-due, payment-scheduled, payment-failed, test",
    ],
  ])("explains %j", (over, problem) => {
    expect(problemOf(parseCompany({ ...company, ...over }, undefined))).toBe(problem)
  })

  it("hides an invalid CNPJ, which can be another field's value", () => {
    expect(problemOf(parseCompany({ ...company, cnpj: "1" }, undefined), "a company")).toBe(
      "cnpj must be a CNPJ with right check digits, with or without punctuation",
    )
  })

  it("names the key or callback that belongs to the reseller", () => {
    expect(problemOf(parseCompany({ ...company, integratorKey: "chave" }, registered))).toBe(resellersKey)
    expect(problemOf(parseCompany({ ...company, callback }, itself))).toBe(
      "callback is registered with the reseller of this CNPJ",
    )
  })

  it.each<[HostKey, string]>([
    [{ kid: "", hmac: "a".repeat(64) }, "integratorKey must have the kid of the pepper under which it was digested"],
    [
      { kid: "1", hmac: "a" },
      "integratorKey must be an HMAC-SHA256 in 64 hexadecimal digits, as integratorKeyDigest makes",
    ],
    ["", "integratorKey must not be empty"],
  ])("explains the key %j of a host's row", (integratorKey, problem) => {
    expect(problemOf(parseHostCompany({ ...row, integratorKey }))).toBe(problem)
  })

  it("refuses the reseller's key if it is given as the company's own", () => {
    expect(problemOf(parseHostCompany({ ...row, reseller: registered, integratorKey: "chave" }))).toBe(resellersKey)
  })
})

describe("the defaults of a registration", () => {
  it("are an active wallet, a bank domicile of the company's own, and an association with the reseller", () => {
    const { company: alone } = Result.getOrThrow(parseCompany(company, undefined))
    expect(alone).toMatchObject({ walletActive: true, ownBankDomicile: true })
    const { company: belonging } = Result.getOrThrow(parseCompany(company, registered))
    expect(belonging.reseller).toMatchObject({ associated: true })
    const { reseller: parsed } = Result.getOrThrow(parseReseller(reseller))
    expect(parsed).toMatchObject({ walletActive: true })
    const { company: kept } = Result.getOrThrow(
      parseHostCompany({ ...row, reseller: { cnpj: anotherCnpj, name: "R" } }),
    )
    expect(kept.reseller).toMatchObject({ walletActive: true, associated: true })
  })

  it("don't replace values that are given", () => {
    const off = { walletActive: false, ownBankDomicile: false, associated: false }
    expect(Result.getOrThrow(parseCompany({ ...company, ...off }, registered)).company).toMatchObject({
      walletActive: false,
      ownBankDomicile: false,
      reseller: { associated: false },
    })
    expect(Result.getOrThrow(parseReseller({ ...reseller, walletActive: false })).reseller).toMatchObject({
      walletActive: false,
    })
  })
})

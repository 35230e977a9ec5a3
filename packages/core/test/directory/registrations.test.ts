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
import { aCnpj, anotherCnpj } from "@pixcharge/testkit/fixtures"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseHostCompany } from "../../src/directory/HostCompany.ts"

const company: CompanyInput = { cnpj: aCnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
const reseller: ResellerInput = { cnpj: anotherCnpj, name: "Revenda" }
const callback: CallbackInput = { url: "https://loja.example.com/pix", secrets: [`whsec_${btoa("x".repeat(24))}`] }
const registered = { cnpj: anotherCnpj, name: "Revenda", walletActive: true }

/** Whose registration is refused, and for which field. */
const refusal = (parsed: Result.Result<unknown, InvalidRegistration>) =>
  Result.match(parsed, { onSuccess: () => "none", onFailure: ({ cnpj, field }) => `${field} of ${cnpj}` })

describe("a company's registration", () => {
  it.each<Partial<CompanyInput>>([
    { graceDays: 1 },
    { graceDays: 3_650 },
    { name: "a".repeat(200) },
    { integratorKey: " " },
    { callback },
  ])("may have %j", (over) => {
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
    { reseller: anotherCnpj },
  ])("can't have %j", (over) => {
    expect(refusal(parseCompany({ ...company, ...over }, undefined))).toBe(`${Object.keys(over)[0]} of ${aCnpj}`)
  })

  it("has neither key nor callback of its own where its reseller's are meant", () => {
    const itself = { ...registered, cnpj: aCnpj }
    expect(refusal(parseCompany({ ...company, integratorKey: "chave" }, registered))).toBe(`integratorKey of ${aCnpj}`)
    expect(refusal(parseCompany({ ...company, callback }, itself))).toBe(`callback of ${aCnpj}`)
    expect(refusal(parseCompany({ ...company, callback }, registered))).toBe("none")
  })
})

describe("a reseller's registration", () => {
  it.each<Partial<ResellerInput>>([{ integratorKey: "" }, { name: " " }])("can't have %j", (over) => {
    expect(refusal(parseReseller({ ...reseller, ...over }))).toBe(`${Object.keys(over)[0]} of ${anotherCnpj}`)
  })

  it("names the endpoint of its callback by its CNPJ without a mask, which gets paid events alone by default", () => {
    const { callback: endpoint } = Result.getOrThrow(
      parseReseller({ ...reseller, cnpj: "11.222.333/0001-81", callback }),
    )
    expect(endpoint).toMatchObject({ id: `callback-${anotherCnpj}`, kinds: ["paid"], status: "enabled" })
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
  ])("can't have a callback with the %s %j", (field, value) => {
    const wrong = { ...callback, [field]: value }
    expect(refusal(parseReseller({ ...reseller, callback: wrong }))).toBe(`callback.${field} of ${anotherCnpj}`)
  })
})

describe("a host's own row", () => {
  const parse = (over: Partial<HostCompany>) => parseHostCompany({ ...company, ...over } as HostCompany)

  it.each<HostKey>([
    "",
    { key: "" },
    { key: 5 as never },
    { key: "chave", version: 0 },
    { key: "chave", version: 1.5 },
    { hmac: "a".repeat(64), version: -1 },
    { hmac: "a".repeat(63) },
    { hmac: "a".repeat(65) },
    { hmac: "A".repeat(64) },
    { hmac: "g".repeat(64) },
  ])("can't have the key %j, its own or its reseller's", (integratorKey) => {
    expect(refusal(parse({ integratorKey }))).toBe(`integratorKey of ${aCnpj}`)
    expect(refusal(parse({ reseller: { ...reseller, integratorKey } }))).toBe(`integratorKey of ${anotherCnpj}`)
  })

  it("gives a company its own key, or its reseller's while they are associated", () => {
    const credentialOf = (over: Partial<HostCompany>) => Result.getOrThrow(parse(over)).credential
    const own = credentialOf({ integratorKey: "chave" })
    expect(own).toMatchObject({ holder: aCnpj, version: 1 })
    expect(own?.key._tag === "Plain" && Redacted.value(own.key.key)).toBe("chave")
    const joint = { ...reseller, integratorKey: { key: "chave", version: 2 } }
    expect(credentialOf({ reseller: joint })).toMatchObject({ holder: anotherCnpj, version: 2 })
    expect(credentialOf({ reseller: { ...joint, associated: false } })).toBeUndefined()
    expect(credentialOf({ reseller })).toBeUndefined()
    expect(refusal(parse({ reseller: joint, integratorKey: "chave" }))).toBe(`integratorKey of ${aCnpj}`)
  })

  it("holds the key of a reseller that issues for itself whatever the association says", () => {
    const { company: itself } = Result.getOrThrow(parse({ reseller: { ...reseller, cnpj: aCnpj, associated: false } }))
    expect(keyHolder(itself)).toBe(aCnpj)
  })
})

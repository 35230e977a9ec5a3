import { missingPrerequisites } from "@pixcharge/core/party"
import { aCompany, aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"

const reseller = { cnpj: anotherCnpj, name: "Revenda", walletActive: true, associated: true }

describe("a company that can issue", () => {
  it("has its own wallet and bank domicile, without a reseller", () => {
    expect(missingPrerequisites(aCompany())).toEqual([])
  })

  it("belongs to a reseller with an active wallet", () => {
    expect(missingPrerequisites(aCompany({ reseller }))).toEqual([])
  })

  it("can be the reseller itself, without an association with itself", () => {
    const itself = { ...reseller, cnpj: aCnpj, associated: false }
    expect(missingPrerequisites(aCompany({ reseller: itself }))).toEqual([])
  })
})

describe("a company that can't issue", () => {
  it("lacks its wallet, its bank domicile, the association or the reseller's wallet", () => {
    expect(missingPrerequisites(aCompany({ walletActive: false }))).toEqual(["companyWallet"])
    expect(missingPrerequisites(aCompany({ ownBankDomicile: false }))).toEqual(["ownBankDomicile"])
    expect(missingPrerequisites(aCompany({ reseller: { ...reseller, associated: false } }))).toEqual(["association"])
    expect(missingPrerequisites(aCompany({ reseller: { ...reseller, walletActive: false } }))).toEqual([
      "resellerWallet",
    ])
  })

  it("can be a reseller without an active wallet", () => {
    const itself = { ...reseller, cnpj: aCnpj, walletActive: false }
    expect(missingPrerequisites(aCompany({ reseller: itself }))).toEqual(["resellerWallet"])
  })

  it("has all its missing prerequisites in one list", () => {
    const company = aCompany({
      walletActive: false,
      ownBankDomicile: false,
      reseller: { ...reseller, associated: false, walletActive: false },
    })
    expect(missingPrerequisites(company)).toEqual(["association", "resellerWallet", "companyWallet", "ownBankDomicile"])
  })
})

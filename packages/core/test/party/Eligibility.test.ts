import { missingPrerequisites } from "@pixcharge/core/party"
import { aCompany, aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"

const reseller = { cnpj: anotherCnpj, name: "Revenda", walletActive: true, associated: true }

describe("a company may issue", () => {
  it("with a wallet and a bank domicile of its own, without a reseller", () => {
    expect(missingPrerequisites(aCompany())).toEqual([])
  })

  it("when it belongs to a reseller whose wallet is active", () => {
    expect(missingPrerequisites(aCompany({ reseller }))).toEqual([])
  })

  it("when it is the reseller itself, without a link to itself", () => {
    const itself = { ...reseller, cnpj: aCnpj, associated: false }
    expect(missingPrerequisites(aCompany({ reseller: itself }))).toEqual([])
  })
})

describe("a company may not issue", () => {
  it("without its wallet, its own bank domicile, the association or the reseller's wallet", () => {
    expect(missingPrerequisites(aCompany({ walletActive: false }))).toEqual(["companyWallet"])
    expect(missingPrerequisites(aCompany({ ownBankDomicile: false }))).toEqual(["ownBankDomicile"])
    expect(missingPrerequisites(aCompany({ reseller: { ...reseller, associated: false } }))).toEqual(["association"])
    expect(missingPrerequisites(aCompany({ reseller: { ...reseller, walletActive: false } }))).toEqual([
      "resellerWallet",
    ])
  })

  it("as a reseller without an active wallet", () => {
    const itself = { ...reseller, cnpj: aCnpj, walletActive: false }
    expect(missingPrerequisites(aCompany({ reseller: itself }))).toEqual(["resellerWallet"])
  })

  it("and hears of everything that is missing at once", () => {
    const company = aCompany({
      walletActive: false,
      ownBankDomicile: false,
      reseller: { ...reseller, associated: false, walletActive: false },
    })
    expect(missingPrerequisites(company)).toEqual(["association", "resellerWallet", "companyWallet", "ownBankDomicile"])
  })
})

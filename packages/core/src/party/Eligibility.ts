import type { Company } from "./Company.ts"

/** What a company may lack for issuing. */
export type Prerequisite = "resellerWallet" | "companyWallet" | "ownBankDomicile" | "association"

/**
 * What a company lacks before it may issue a charge; empty when it may (decision 27).
 *
 * A reseller that issues for itself needs no link to itself: its registration as a company names no reseller, or itself.
 */
export const missingPrerequisites = (company: Company): ReadonlyArray<Prerequisite> => {
  const missing: Array<Prerequisite> = []
  const reseller = company.reseller
  if (reseller !== undefined) {
    if (reseller.cnpj !== company.cnpj && !reseller.associated) missing.push("association")
    if (!reseller.walletActive) missing.push("resellerWallet")
  }
  if (!company.walletActive) missing.push("companyWallet")
  if (!company.ownBankDomicile) missing.push("ownBankDomicile")
  return missing
}

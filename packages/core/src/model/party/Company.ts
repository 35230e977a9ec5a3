import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Fees } from "../money/Fees.ts"
import type { Cnpj } from "./Cnpj.ts"
import type { TaxId } from "./TaxId.ts"

/** A registered company that issues charges. A reseller that issues is registered as a company, too. */
export interface Company {
  readonly cnpj: Cnpj
  readonly name: string
  /** Field 60 of BR Codes. */
  readonly city: string
  /** API Pix: `chave`. */
  readonly pixKey: string
  readonly walletActive: boolean
  readonly ownBankDomicile: boolean
  /** How many days a due-date charge stays payable after its moved due date; at least 1 (decision 10). */
  readonly graceDays: number
  /** Late fees and reductions. A request can replace each part (decision 22). */
  readonly fees?: Fees
  /** The payer of charges that name no payer, if the processor requires a payer (decision 28). */
  readonly genericPayer?: Payer
  /** Closed days of the company's city or state, besides the national bank holidays. */
  readonly localHolidays?: ReadonlyArray<LocalDate>
  readonly reseller?: Reseller & { readonly associated: boolean }
}

/** The person or company asked to pay (`cliente`); never in events or logs (decision 25). */
export interface Payer {
  readonly name: string
  readonly taxId: TaxId
}

/** A company that sells the service to other companies, holds their integrator key and gets their events. */
export interface Reseller {
  readonly cnpj: Cnpj
  readonly name: string
  readonly walletActive: boolean
}

export type Prerequisite = "resellerWallet" | "companyWallet" | "ownBankDomicile" | "association"

/**
 * The prerequisites that a company lacks to issue charges; empty if it can issue (docs/interface.md, Who may issue). A reseller
 * that issues needs no link to itself: its registration as a company names no reseller, or itself.
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

import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Fees } from "../money/Fees.ts"
import type { Cnpj } from "./Cnpj.ts"
import type { TaxId } from "./TaxId.ts"

/** A company that issues charges, as its registration says. A reseller that issues is registered as a company too. */
export interface Company {
  readonly cnpj: Cnpj
  readonly name: string
  /** Written into BR Codes (field 60). */
  readonly city: string
  /** The key under which it receives (`chave`). */
  readonly pixKey: string
  readonly walletActive: boolean
  /** It has a bank domicile of its own. */
  readonly ownBankDomicile: boolean
  /** Days for which a due-date charge stays payable after its moved due date; at least 1 (decision 10). */
  readonly graceDays: number
  /** Fine, interest, abatement and discount: only ever from here, never from a request (decision 22). */
  readonly fees?: Fees
  /** Stands in for the payer where the processor wants one and the request names none (decision 28). */
  readonly genericPayer?: Payer
  /** Closed days of its place, on top of the national bank holidays. */
  readonly localHolidays?: ReadonlyArray<LocalDate>
  readonly reseller?: Reseller & { readonly associated: boolean }
}

/** Who is asked to pay (`cliente`): kept with the charge, never in events or logs (decision 25). */
export interface Payer {
  readonly name: string
  readonly taxId: TaxId
}

/** Who sells the service to companies, holds the integrator key for them and is notified of their payments. */
export interface Reseller {
  readonly cnpj: Cnpj
  readonly name: string
  readonly walletActive: boolean
}

/** What a company may lack for issuing. */
export type Prerequisite = "resellerWallet" | "companyWallet" | "ownBankDomicile" | "association"

/**
 * What a company lacks before it may issue a charge; empty when it may (docs/interface.md, Who may issue).
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

import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Fees } from "../money/Fees.ts"
import type { Payer } from "./Payer.ts"
import type { Cnpj } from "./Cnpj.ts"
import type { Reseller } from "./Reseller.ts"

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
  /** Days for which a due-date charge stays payable after its moved due date; at least 1. */
  readonly graceDays: number
  /** Fine, interest, abatement and discount: only ever from here, never from a request. */
  readonly fees?: Fees
  /** Stands in for the payer where the processor wants one and the request names none (decision 28). */
  readonly genericPayer?: Payer
  /** Closed days of its place, on top of the national bank holidays. */
  readonly localHolidays?: ReadonlyArray<LocalDate>
  readonly reseller?: Reseller & { readonly associated: boolean }
}

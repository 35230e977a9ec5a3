import type { Charge } from "./Charge.ts"
import type { TermsRow } from "./TermsRow.ts"
import type { PartialRefund } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import type { ChargeNews } from "./chargeEvents.ts"
import type { ChargeAlreadyPaid, ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import type { ChargePartlyReturned, RefundWindowClosed } from "./paymentErrors.ts"

/** A command's result. A stale move still records payments and returns, unless it settles the charge by another payment. */
export interface Transition {
  readonly next?: Charge
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  /** Also in `next`. */
  readonly partialRefund?: PartialRefund
  /** Terms that the move adds or ends; also in `next`. */
  readonly termsRows?: ReadonlyArray<TermsRow>
  /** In the order of publication. */
  readonly news?: ReadonlyArray<ChargeNews>
  /** Supersedes an unsent `paid` event while the money goes back; restores it if the refund fails. */
  readonly unsent?: "supersede" | "restore"
}

/** Why the charge's state forbids a command. */
export type Refusal = ChargeAlreadyPaid | ChargeCancelled | ChargeNotPaid | ChargePartlyReturned | RefundWindowClosed

export const stay: Transition = { payments: [], returns: [] }

/** The fields of an error about a charge: an error must not contain a payer's data. */
export const about = ({ issuer, id }: Charge) => ({ issuer, id })

export const clearChecks = <C extends Charge & { readonly lookUpAt?: number }>({
  checkAt: _,
  lookUpAt: __,
  ...charge
}: C) => charge

export const stamp = (charge: Charge, now: number) => ({ version: charge.version + 1, updatedAt: now })

import type { Charge } from "./Charge.ts"
import type { PartialRefund } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import type { ChargeNews } from "./chargeEvents.ts"
import type { ChargeAlreadyPaid, ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import type { ChargePartlyReturned, RefundWindowClosed } from "./paymentErrors.ts"

/** What a command changes: the move, the money facts to record even if the move is stale, and the event to publish. */
export interface Transition {
  /** Absent when the charge stays where it is. */
  readonly next?: Charge
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  /** The partial refund that is new or changed with the move; `next` has it, too. */
  readonly partialRefund?: PartialRefund
  /** What is published with the move. */
  readonly news?: ChargeNews
  /** What happens to a `paid` event that was not sent yet: not sent while the money goes back, waiting again if it stays. */
  readonly unsent?: "supersede" | "restore"
}

/** Why a command can't be carried out on the charge as it is. */
export type Refusal = ChargeAlreadyPaid | ChargeCancelled | ChargeNotPaid | ChargePartlyReturned | RefundWindowClosed

/** Nothing changes. */
export const stay: Transition = { payments: [], returns: [] }

// Errors name the charge and nothing else of it: a payer's data must not travel in one.
export const about = ({ issuer, id }: Charge) => ({ issuer, id })

/** The charge without its next check: each move sets that again. */
export const clearChecks = <C extends Charge & { readonly lookUpAt?: number }>({
  checkAt: _,
  lookUpAt: __,
  ...charge
}: C) => charge

/** The next version, as of now. */
export const stamp = (charge: Charge, now: number) => ({ version: charge.version + 1, updatedAt: now })

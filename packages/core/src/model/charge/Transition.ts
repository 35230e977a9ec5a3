import type { Charge } from "./Charge.ts"
import type { PartialRefund } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import type { ChargeNews } from "./chargeEvents.ts"
import type { ChargeAlreadyPaid, ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import type { ChargePartlyReturned, RefundWindowClosed } from "./paymentErrors.ts"

/** The result of a command: the move, the payments and returns to record even if the move is stale, and the event to publish. */
export interface Transition {
  /** Absent when the charge stays as it is. */
  readonly next?: Charge
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  /** The partial refund that the move adds or changes; `next` has it, too. */
  readonly partialRefund?: PartialRefund
  readonly news?: ChargeNews
  /** The effect on an unsent `paid` event: superseded while the money goes back, restored if the refund fails. */
  readonly unsent?: "supersede" | "restore"
}

/** Why the charge's state forbids a command. */
export type Refusal = ChargeAlreadyPaid | ChargeCancelled | ChargeNotPaid | ChargePartlyReturned | RefundWindowClosed

export const stay: Transition = { payments: [], returns: [] }

/** The fields of an error about the charge: an error must not contain a payer's data. */
export const about = ({ issuer, id }: Charge) => ({ issuer, id })

/** The charge without its next check, which each move sets again. */
export const clearChecks = <C extends Charge & { readonly lookUpAt?: number }>({
  checkAt: _,
  lookUpAt: __,
  ...charge
}: C) => charge

export const stamp = (charge: Charge, now: number) => ({ version: charge.version + 1, updatedAt: now })

import type { LocalDate } from "../calendar/LocalDate.ts"
import type { EndedBy } from "../cycle/RecurrenceId.ts"
import type { DebitNews } from "../cycle/decideDebit.ts"
import type { Cents } from "../money/Money.ts"
import type { Charge } from "./Charge.ts"
import type { PartialRefund } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import type { ChargeEvent } from "./PixEvent.ts"
import type { FailedRefund } from "./Refund.ts"
import type { ChargeAlreadyPaid, ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import type { ChargePartlyReturned, RefundWindowClosed } from "./paymentErrors.ts"

/** What is published of a cycle's charge. */
export type CycleNews =
  | DebitNews
  | {
      readonly kind: "payment-failed"
      readonly reason: "cancelled"
      readonly on: LocalDate
      readonly by?: EndedBy
      readonly code?: string
    }

/** What a command changes: the move, the money facts to record even if the move is stale, and the event to publish. */
export interface Transition {
  /** Absent when the charge stays where it is. */
  readonly next?: Charge
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  /** The partial refund that is new or changed with the move; `next` has it, too. */
  readonly partialRefund?: PartialRefund
  /** The event that goes out with the move. */
  readonly publish?: ChargeEvent["kind"]
  /** The refund that failed with the move, which is told. */
  readonly failure?: RefundFailure
  /** What is told of a cycle's debit with the move. */
  readonly news?: CycleNews
  /** What happens to a `paid` event that was not sent yet: not sent while the money goes back, waiting again if it stays. */
  readonly unsent?: "supersede" | "restore"
}

/** A refund that failed: so much of the payment, of a part under its key. */
export interface RefundFailure {
  readonly refund: FailedRefund
  readonly amountCents: Cents
  readonly key?: string
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

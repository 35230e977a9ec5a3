import type { DebitOutcome } from "@pixcharge/core/internal"
import type { PlainRecurrence } from "../plainRecurrence.ts"
import type { Recurrences } from "./Recurrences.ts"

/** What a payer can do about a recurrence; a maximum, in integer cents, holds for cycles that are charged afterwards. */
export type RecurrencePlayInput = "approve" | "decline" | "cancel" | "expire" | { readonly maximumCents: number }

/** What the sandbox has besides: payers of recurrences to play. */
export interface SandboxRecurrences extends Recurrences {
  /**
   * Plays the payer of a recurrence: `approve` (which pays the charge of the journey, too, where it has one), `decline`, `cancel`
   * at any time, `expire`, or a maximum. Returns the recurrence after it.
   *
   * Rejects with `InvalidOption` for what the payer can't do now, with `RecurrenceNotFound`, and where a charge is paid, as
   * `simulatePayment` does.
   *
   * @example
   * await pix.recurrences.play("12345678000195", id, "approve")
   */
  readonly play: (issuer: string, id: string, play: RecurrencePlayInput) => Promise<PlainRecurrence>
  /**
   * How the next day's attempts of the recurrence's debits end, instead of being paid: `paidInEvening`, `noBalance`,
   * `aboveMaximum` or `accountClosed`. Each call is about one more day. Rejects with `RecurrenceNotFound`, and with `InvalidOption`
   * where nothing can be debited any more.
   *
   * @example
   * await pix.recurrences.playDebit("12345678000195", id, "noBalance")
   */
  readonly playDebit: (issuer: string, id: string, outcome: DebitOutcome) => Promise<void>
}

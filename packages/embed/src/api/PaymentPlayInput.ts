import { InvalidOption, type PaymentPlay, type PlayOutcome, playOutcomes } from "@pixcharge/core"
import { type Cents, maximumChargeCents } from "@pixcharge/core/money"
import { anObject, unknownField } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"

/** How a payment of the sandbox goes, with any cents of its charge. */
export interface PaymentPlayInput {
  /**
   * `approved` by default; `declined` by the payer's bank; `timesOut`: paid, and the call rejects without an answer;
   * `paidTwice`; `paidLate`: a second after the charge expired, unless it is later than that; `noticeLost`: paid, and found
   * only by the next look-up.
   */
  readonly outcome?: PlayOutcome | undefined
  /** Integer cents; by default what is due now, with fine and interest. */
  readonly amountCents?: number | undefined
}

/** Whether somebody can pay this amount. */
export const isPayable = (cents: unknown): cents is Cents =>
  typeof cents === "number" && Number.isInteger(cents) && cents > 0 && cents <= maximumChargeCents

const flaw = (text: string) =>
  Effect.fail(new InvalidOption({ message: `simulatePayment(issuer, id, { outcome, amountCents }): ${text}.` }))

/** A play that was checked; undefined for none. Fails with `InvalidOption`. */
export const parsePlay = (
  input: PaymentPlayInput | undefined,
): Effect.Effect<PaymentPlay | undefined, InvalidOption> => {
  if (input === undefined) return Effect.succeed(undefined)
  if (!anObject.holds(input)) return flaw("the third argument is an object, or left out")
  const unknown = unknownField(input, { outcome: true, amountCents: true })
  if (unknown !== undefined) return flaw(unknown)
  const { outcome, amountCents } = input
  if (outcome !== undefined && !playOutcomes.includes(outcome)) {
    return flaw(`outcome must be one of ${playOutcomes.join(", ")}`)
  }
  if (amountCents === undefined) return Effect.succeed(outcome === undefined ? {} : { outcome })
  if (!isPayable(amountCents)) return flaw("amountCents must be a whole number from 1 to 999999999999")
  return Effect.succeed({ amountCents, ...(outcome !== undefined && { outcome }) })
}

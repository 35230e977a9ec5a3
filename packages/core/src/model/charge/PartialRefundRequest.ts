import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { type Cents, isChargeCents } from "../money/Money.ts"
import { isHostKey, keyRule } from "./hostKey.ts"
import { parseShownText, shownCharacters } from "./ShownText.ts"

export interface PartialRefundRequest {
  readonly key: string
  readonly amountCents: Cents
  readonly reason?: string
}

/** A host's request for a partial refund, in plain values. */
export interface PartialRefundInput {
  /** The caller's own name for the refund, such as a UUID: 1 to 100 visible ASCII characters without spaces. */
  readonly key: string
  /** Integer cents of reais. */
  readonly amountCents: number
  /** Why the money goes back: 1 to 140 characters of ISO 8859-1. The payer's bank can show it. */
  readonly reason?: string | undefined
}

const rules: Record<"key" | "amountCents", string> = {
  key: keyRule,
  amountCents: "must be a whole number of centavos from 1 to 999999999999: 1990 is R$ 19,90",
}

/**
 * A field of a partial refund breaks its rule.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected request.
 */
export class InvalidPartialRefund extends TaggedError("InvalidPartialRefund")<{
  readonly field: "key" | "amountCents"
}> {
  override get message(): string {
    return `The partial refund's ${this.field} ${rules[this.field]}.`
  }
}

/** Parses a partial refund; the error names the first wrong field. */
export const parsePartialRefund = (
  input: PartialRefundInput,
): Result.Result<PartialRefundRequest, InvalidPartialRefund | InvalidRefundReason> => {
  const { key, amountCents, reason } = Object(input) as PartialRefundInput
  if (!isHostKey(key)) return Result.fail(new InvalidPartialRefund({ field: "key" }))
  if (!isChargeCents(amountCents)) return Result.fail(new InvalidPartialRefund({ field: "amountCents" }))
  if (reason === undefined) return Result.succeed({ key, amountCents })
  return Result.map(parseRefundReason(reason), (parsed) => ({ key, amountCents, reason: parsed }))
}

/** The limit of API Pix (`DevolucaoSolicitada.descricao`) and pacs.004. */
export const maxRefundReasonLength = 140

/**
 * The payer's bank can't show the refund's reason. The error doesn't contain the text.
 *
 * @repeat No, only with a corrected reason, or without one.
 */
export class InvalidRefundReason extends TaggedError("InvalidRefundReason", {
  problem: `The refund's reason must have 1 to ${maxRefundReasonLength} characters ${shownCharacters}.`,
  remedy: "Correct the reason, or leave it out.",
}) {}

/** Trims and composes (NFC) the reason. */
export const parseRefundReason = (text: string): Result.Result<string, InvalidRefundReason> => {
  const reason = parseShownText(text, maxRefundReasonLength)
  return reason === undefined ? Result.fail(new InvalidRefundReason()) : Result.succeed(reason)
}

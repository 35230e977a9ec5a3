import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error/TaggedError.ts"
import { parseShownText, shownCharacters } from "./ShownText.ts"

/** API Pix (`DevolucaoSolicitada.descricao`), and pacs.004, in which it reaches the payer's bank. */
export const maxRefundReasonLength = 140

/**
 * The reason of a refund is a text that the payer's bank can't show; the text itself is not repeated, for it may name a payer.
 *
 * @repeat No: with a corrected reason, or without one.
 */
export class InvalidRefundReason extends TaggedError("InvalidRefundReason", {
  problem: `The refund's reason must have 1 to ${maxRefundReasonLength} characters ${shownCharacters}.`,
  remedy: "Correct the reason, or leave it out.",
}) {}

/** The reason as it is kept and sent: trimmed and composed (NFC). */
export const parseRefundReason = (text: string): Result.Result<string, InvalidRefundReason> => {
  const reason = parseShownText(text, maxRefundReasonLength)
  return reason === undefined ? Result.fail(new InvalidRefundReason()) : Result.succeed(reason)
}

import { CausedError, isOfOurs } from "@pixcharge/core/internal"
import * as Redacted from "effect/Redacted"

/**
 * pixcharge could not start; the message gives the reason in one sentence, `cause` the details.
 *
 * @remedy Correct what the message names: an option, the database, a connection to the bank.
 * @repeat Yes, if a database or a bank was out of reach; an invalid option must be corrected first.
 */
export class BootFailure extends CausedError("BootFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

const hideCredentials = (word: string): string => {
  const begin = word.indexOf("//")
  const end = word.lastIndexOf("@")
  return begin >= 0 && begin < end ? `${word.slice(0, begin)}//***${word.slice(end)}` : word
}

const findInnermostMessage = (error: unknown): string => {
  if (Redacted.isRedacted(error)) return findInnermostMessage(Redacted.value(error))
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined && !isOfOurs(error)) return findInnermostMessage(error.cause)
  return error.message === "" ? error.name : error.message
}

export const bootFailure = (reason: string, cause?: unknown): BootFailure =>
  new BootFailure({
    message: `pixcharge could not start: ${reason.replaceAll(/\S+/g, hideCredentials)}`,
    ...(cause !== undefined && { cause }),
  })

export const bootFailureFrom = (error: unknown): BootFailure =>
  error instanceof BootFailure ? error : bootFailure(findInnermostMessage(error), error)

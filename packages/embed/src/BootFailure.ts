import * as Data from "effect/Data"

/** pixcharge could not start; the message says why in one sentence, `cause` holds the rest. */
export class BootFailure extends Data.TaggedError("BootFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The innermost message of an error: what really happened, under the layers that passed it on. */
const innermostMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return innermostMessage(error.cause)
  return error.message === "" ? error.name : error.message
}

/** A `BootFailure` for this reason. */
export const bootFailure = (reason: string, cause?: unknown): BootFailure =>
  new BootFailure({ message: `pixcharge could not start: ${reason}`, cause })

/** Whatever broke while starting, as one clear sentence. */
export const bootFailureFrom = (error: unknown): BootFailure =>
  error instanceof BootFailure ? error : bootFailure(innermostMessage(error), error)

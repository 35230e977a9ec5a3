import * as Data from "effect/Data"

/** pixcharge could not start; the message says why in one sentence, `cause` holds the rest. */
export class BootFailure extends Data.TaggedError("BootFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The innermost message of an error: what really happened, under the layers that passed it on. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  return error.message === "" ? error.name : error.message
}

/** Whatever broke while starting, as one clear sentence. */
export const bootFailureOf = (error: unknown): BootFailure =>
  error instanceof BootFailure
    ? error
    : new BootFailure({ message: `pixcharge could not start: ${reasonOf(error)}`, cause: error })

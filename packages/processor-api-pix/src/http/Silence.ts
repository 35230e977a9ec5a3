import * as Data from "effect/Data"

/** Nothing that counts came back, so that nobody knows whether the call was carried out. No secret is in it. */
export class Silence extends Data.TaggedError("Silence")<{
  readonly cause: unknown
  /** Whether the same call may help at once. */
  readonly mayRepeat: boolean
  readonly retryAfterMs?: number
  /** The call itself was not sent, or the bank said that it did nothing with it (429). */
  readonly isUnsent?: true
}> {}

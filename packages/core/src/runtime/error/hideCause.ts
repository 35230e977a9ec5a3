import * as Redacted from "effect/Redacted"
import { failureFacts } from "../telemetry/failureFacts.ts"
import { isOfOurs } from "./isOfOurs.ts"

/** What is told of something that was caught: its class, its code and where it was made. */
const label = (caught: unknown): string => {
  const { error, code, at } = failureFacts(caught)
  const place = Array.isArray(at) ? at[0] : undefined
  return [error, code, place && `at ${place}`].filter((part) => part !== undefined).join(" ")
}

/**
 * A cause that any log may print. Ours stay as they are, for they say nothing that is not theirs to say; what others threw
 * may quote a payer, a secret or a URL, and prints as `<redacted:TypeError at file:///...>`. `Redacted.value` reads it.
 */
export const hideCause = (caught: unknown): unknown =>
  caught === undefined || isOfOurs(caught) || Redacted.isRedacted(caught)
    ? caught
    : Redacted.make(caught, { label: label(caught) })

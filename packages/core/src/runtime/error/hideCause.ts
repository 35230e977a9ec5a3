import * as Redacted from "effect/Redacted"
import { failureFacts } from "../telemetry/failureFacts.ts"
import { isOfOurs } from "./isOfOurs.ts"

/** What may be said of a caught value: its class, its code and where it was made. */
const label = (caught: unknown): string => {
  const { error, code, at } = failureFacts(caught)
  const place = Array.isArray(at) ? at[0] : undefined
  return [error, code, place && `at ${place}`].filter((part) => part !== undefined).join(" ")
}

/**
 * A cause that any log may print. Our own errors stay as they are, because their messages are safe. Others may quote a payer, a
 * secret or a URL, and print as `<redacted:TypeError at file:///...>`; `Redacted.value` reads them.
 */
export const hideCause = (caught: unknown): unknown =>
  caught === undefined || isOfOurs(caught) || Redacted.isRedacted(caught)
    ? caught
    : Redacted.make(caught, { label: label(caught) })

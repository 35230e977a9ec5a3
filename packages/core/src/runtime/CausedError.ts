import * as Redacted from "effect/Redacted"
import { type ErrorTexts, isOfOurs, TaggedError, type TaggedErrorClass } from "./error.ts"
import { failureFacts } from "./telemetry.ts"

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

interface Caused {
  readonly cause?: unknown
}

/** A call that something else failed. */
export interface Outage {
  readonly operation: string
  /** What was caught. What others threw may quote anything: it is hidden, and `Redacted.value` reads it. */
  readonly cause?: unknown
}

/** A `TaggedError` of what others may have caused: a `cause` that is neither an error nor a text of ours is hidden. */
export const CausedError = <const Tag extends string, Named extends object = Record<never, never>>(
  tag: Tag,
  texts?: ErrorTexts<Named>,
): TaggedErrorClass<Tag, Named> => {
  const Parent = TaggedError(tag, texts) as unknown as new (fields: Caused) => Error
  class Base extends Parent {
    constructor(fields: Caused) {
      super(typeof fields.cause === "object" ? { ...fields, cause: hideCause(fields.cause) } : fields)
    }
  }
  return Base as unknown as TaggedErrorClass<Tag, Named>
}

import * as Redacted from "effect/Redacted"
import { type ErrorTexts, isOfOurs, TaggedError, type TaggedErrorClass } from "./error.ts"
import { failureFacts } from "./telemetry.ts"

const label = (caught: unknown): string => {
  const { error, code, at } = failureFacts(caught)
  const place = Array.isArray(at) ? at[0] : undefined
  return [error, code, place && `at ${place}`].filter((part) => part !== undefined).join(" ")
}

/**
 * Makes a cause safe to log. Foreign errors can quote a payer, a secret or a URL: they print as `<redacted:TypeError at
 * file:///...>`, and `Redacted.value` reads them.
 */
export const hideCause = (caught: unknown): unknown =>
  caught === undefined || isOfOurs(caught) || Redacted.isRedacted(caught)
    ? caught
    : Redacted.make(caught, { label: label(caught) })

interface Caused {
  readonly cause?: unknown
}

export interface Outage {
  readonly operation: string
  /** The caught value. Causes from outside are hidden; `Redacted.value` reads them. */
  readonly cause?: unknown
}

/** Hides an object as `cause`, unless it is our error. A string comes from our own code, and stays. */
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

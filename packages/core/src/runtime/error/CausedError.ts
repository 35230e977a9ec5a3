import { hideCause } from "./hideCause.ts"
import { type ErrorTexts, TaggedError, type TaggedErrorClass } from "./TaggedError.ts"

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

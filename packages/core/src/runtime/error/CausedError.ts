import { hideCause } from "./hideCause.ts"
import { TaggedError, type TaggedErrorClass } from "./TaggedError.ts"

interface Caused {
  readonly cause?: unknown
}

/** A `TaggedError` of what others may have caused: a `cause` that is neither an error nor a text of ours is hidden. */
export const CausedError = <const Tag extends string>(tag: Tag): TaggedErrorClass<Tag> => {
  class Base extends TaggedError<string>(tag)<Caused> {
    constructor(fields: Caused) {
      super(typeof fields.cause === "object" ? { ...fields, cause: hideCause(fields.cause) } : fields)
    }
  }
  return Base as unknown as TaggedErrorClass<Tag>
}

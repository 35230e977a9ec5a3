import * as Order from "effect/Order"
import * as Schema from "effect/Schema"

/** What JSON Schema and OpenAPI documents say of a text or a number. */
export interface Form {
  /** The name of its definition. Without one it is described in place. */
  readonly identifier?: string
  readonly description: string
  /** Keywords that no valid value breaks: the parser, whose texts are better, checks the rest. */
  readonly keywords: Readonly<Record<string, string | number>>
  /** The pattern of generated texts, by default that of the keywords. */
  readonly sample?: string
}

/** The keywords of a UUID in any case. */
export const uuidKeywords = { format: "uuid", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" }

type Generation = Schema.Annotations.Filter["arbitraryConstraint"]

const describe = ({ identifier, keywords }: Form, arbitraryConstraint: Generation) =>
  Schema.makeFilter<unknown>(() => true, { identifier, arbitraryConstraint, toJsonSchema: () => [keywords, true] })

/** A text; `message` is said of anything else. */
export const textOf = (message: string, form: Form): Schema.String => {
  const { sample: source = form.keywords["pattern"] } = form
  const generation: Generation = typeof source === "string" ? { patterns: [{ source, flags: "" }] } : undefined
  return Schema.String.annotate({ message, description: form.description }).check(describe(form, generation))
}

/** A number, which JSON Schema calls whole; `message` is said of anything else, NaN and the infinities too. */
export const integerOf = (message: string, form: Form): Schema.Number => {
  const { minimum, maximum } = form.keywords
  const keywords = { type: "integer", ...form.keywords }
  return Schema.Number.annotate({ message, description: form.description }).check(
    Schema.isFinite({ message }),
    describe({ ...form, keywords }, { number: "integer", minimum, maximum, order: Order.Number }),
  )
}

import * as Schema from "effect/Schema"

/** What JSON Schema and OpenAPI documents say of a wire form. */
export interface WireForm {
  /** The name of its definition. Without one it is described in place. */
  readonly identifier?: string
  readonly description: string
  /** Keywords that no valid value breaks: the parser, whose texts are better, checks the rest. */
  readonly keywords: Readonly<Record<string, string | number>>
}

/** The keywords of a UUID in any case. */
export const uuidKeywords = { format: "uuid", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" }

const describe = ({ identifier, keywords }: WireForm) =>
  Schema.makeFilter<unknown>(() => true, { identifier, toJsonSchema: () => [keywords, true] })

/** A text; `message` is said of anything else. */
export const wireText = (message: string, form: WireForm): Schema.Codec<string> =>
  Schema.String.annotate({ message, description: form.description }).check(describe(form))

/** A number, which JSON Schema calls whole; `message` is said of anything else, NaN and the infinities too. */
export const wireInteger = (message: string, form: WireForm): Schema.Codec<number> =>
  Schema.Number.annotate({ message, description: form.description }).check(
    Schema.isFinite({ message }),
    describe({ ...form, keywords: { type: "integer", ...form.keywords } }),
  )

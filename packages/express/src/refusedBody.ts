import type { ExchangeBody } from "@pixcharge/core"

/** The body that a body parser of the host refused, by the type of its error; undefined for any other error. */
export const refusedBody = (error: unknown): ExchangeBody | undefined => {
  const type = error instanceof Error && "type" in error ? error.type : undefined
  switch (type) {
    case "entity.parse.failed":
    case "request.aborted":
    case "request.size.invalid":
      return { _tag: "Unreadable" }
    case "entity.too.large":
      return { _tag: "TooLarge" }
    case "encoding.unsupported":
    case "charset.unsupported":
      return { _tag: "Unsupported" }
    default:
      return undefined
  }
}

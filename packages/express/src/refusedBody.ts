import type { RefusedBody } from "@pixcharge/core"

const refusedBodies: ReadonlyMap<unknown, RefusedBody> = new Map([
  ["entity.parse.failed", { _tag: "Unreadable" }],
  ["request.aborted", { _tag: "Unreadable" }],
  ["request.size.invalid", { _tag: "Unreadable" }],
  ["entity.too.large", { _tag: "TooLarge" }],
  ["encoding.unsupported", { _tag: "Unsupported" }],
  ["charset.unsupported", { _tag: "Unsupported" }],
])

/** The body that a body parser of the host refused, by the type of its error; undefined for any other error. */
export const refusedBody = (error: unknown): RefusedBody | undefined =>
  error instanceof Error && "type" in error ? refusedBodies.get(error.type) : undefined

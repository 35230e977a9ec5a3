import type { RefusedBody } from "@pixcharge/core/internal"

const unreadable = { _tag: "Unreadable" } as const
const tooLarge = { _tag: "TooLarge" } as const
const unsupported = { _tag: "Unsupported" } as const

const refusedBodies: ReadonlyMap<unknown, RefusedBody> = new Map<unknown, RefusedBody>([
  ["entity.parse.failed", unreadable],
  ["querystring.parse.rangeError", unreadable],
  ["request.aborted", unreadable],
  ["request.size.invalid", unreadable],
  ["entity.too.large", tooLarge],
  ["parameters.too.many", tooLarge],
  ["encoding.unsupported", unsupported],
  ["charset.unsupported", unsupported],
])

/**
 * True if the stream that the parser reads failed, for example in decompression. The parser's error then has status 400 and no
 * type.
 */
const isStreamError = (error: Error): boolean => "errno" in error && "status" in error && error.status === 400

export const readRefusedBody = (error: unknown): RefusedBody | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("type" in error) return refusedBodies.get(error.type)
  return isStreamError(error) ? unreadable : undefined
}

import { plainPath } from "@pixcharge/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { routes } from "./routes.ts"

/** The processor's inbound route can't be told from other paths. */
export class InvalidNoticesPath extends Data.TaggedError("InvalidNoticesPath")<{ readonly message: string }> {}

/** Segments of letters, digits, `-`, `_`, `~` and dots, none of which is `.` or `..`. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Our routes without their parameters. */
const ownPaths = Object.values(routes).map(({ path }) => path.replace(/\/:\w+$/, ""))

const isWithin = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`)

/** The path, if a request to it can be for nothing else: it lies neither below one of our routes nor above it. */
export const checkNoticesPath = (path: string | undefined): Effect.Effect<string | undefined, InvalidNoticesPath> => {
  if (path === undefined) return Effect.succeed(path)
  const bare = plainPath(path)
  const own = ownPaths.find((other) => isWithin(bare, other) || isWithin(other, bare))
  if (plain.test(bare) && !path.includes("?") && own === undefined) return Effect.succeed(path)
  const why = own === undefined ? "is no plain path like /webhooks/pix" : `can't be told from ${own}`
  return new InvalidNoticesPath({ message: `the path of the notices, "${path}", ${why}` })
}

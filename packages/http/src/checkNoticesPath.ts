import { plainPath, TaggedError } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { routes } from "./routes.ts"

/**
 * The processor's inbound route can't be told from other paths.
 *
 * @remedy Give a path like `/webhooks/pix`, which lies neither below one of the service's own routes nor above it.
 * @repeat No: with another path.
 */
export class InvalidNoticesPath extends TaggedError("InvalidNoticesPath")<{ readonly message: string }> {}

/** Segments of letters, digits, `-`, `_`, `~` and dots, none of which is `.` or `..`. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Our routes without their parameters. */
const ownPaths = Object.values(routes).map(({ path }) => path.replace(/\/:\w+$/, ""))

const isWithin = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`)

/** Why requests to a path can't be told from others: it is no plain one, or lies below one of our routes or above it. */
export const noticesPathFlaw = (path: string): string | undefined => {
  const bare = plainPath(path)
  const own = ownPaths.find((other) => isWithin(bare, other) || isWithin(other, bare))
  if (plain.test(bare) && !path.includes("?") && own === undefined) return undefined
  const rule = own === undefined ? "must be a plain path" : `must lie neither below ${own} nor above it`
  return `the path of the notices ${rule}: choose one like /webhooks/pix`
}

/** The path, if a request to it can be for nothing else. */
export const checkNoticesPath = (path: string | undefined): Effect.Effect<string | undefined, InvalidNoticesPath> => {
  const flaw = path === undefined ? undefined : noticesPathFlaw(path)
  return flaw === undefined
    ? Effect.succeed(path)
    : new InvalidNoticesPath({ message: `pixcharge can't be mounted: ${flaw}.` })
}

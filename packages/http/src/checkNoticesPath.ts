import { plainPath, TaggedError } from "@pixcharge/core/internal"
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

/** Why requests to a path can't be told from others: it is no plain one, or lies below a taken one or above it. */
const findPathFlaw = (path: string, taken: ReadonlyArray<string>): string | undefined => {
  const bare = plainPath(path)
  const other = taken.find((one) => isWithin(bare, one) || isWithin(one, bare))
  if (plain.test(bare) && !path.includes("?") && other === undefined) return undefined
  return other === undefined ? "must be a plain path" : `must lie neither below ${other} nor above it`
}

/** Why the path of the payers' pages can't be used, in one sentence; undefined for a sound one. */
export const checkoutPathFlaw = (path: string): string | undefined => {
  const flaw = findPathFlaw(path, ownPaths)
  return flaw && `the path of the checkout ${flaw}: choose one like /pagar`
}

/** Why the path of the notices can't be used, beside that of the payers' pages if there are any; undefined for a sound one. */
export const noticesPathFlaw = (path: string, checkout?: string): string | undefined => {
  const flaw = findPathFlaw(path, checkout === undefined ? ownPaths : [...ownPaths, plainPath(checkout)])
  return flaw && `the path of the notices ${flaw}: choose one like /webhooks/pix`
}

/** The path of the notices, if a request to it can be for nothing else. */
export const checkNoticesPath = (
  path: string | undefined,
  checkout?: string,
): Effect.Effect<string | undefined, InvalidNoticesPath> => {
  const flaw = path === undefined ? undefined : noticesPathFlaw(path, checkout)
  return flaw === undefined
    ? Effect.succeed(path)
    : new InvalidNoticesPath({ message: `pixcharge can't be mounted: ${flaw}.` })
}

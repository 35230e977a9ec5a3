import { plainPath, TaggedError } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"

/** One route of the contract, shared by router, handlers and `PixApi`. */
interface RouteRow {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path below the mount. A parameter, `:name`, is the last segment; the token route's parameter is the whole rest. */
  readonly path: `/${string}`
  readonly successes: ReadonlyArray<number>
  /** Failure statuses, without the 401 of every route that requires a token. */
  readonly failures: ReadonlyArray<number>
}

/** The contract's five routes, and a second way to get a token. */
export const routes = {
  token: {
    method: "GET",
    path: "/api/token/:segredoBase64",
    successes: [200],
    failures: [401, 405, 429, 500, 503],
  },
  tokenByPost: {
    method: "POST",
    path: "/api/token",
    successes: [200],
    failures: [400, 401, 405, 413, 415, 429, 500, 503],
  },
  issue: {
    method: "POST",
    path: "/api/pix",
    successes: [200],
    failures: [400, 403, 405, 409, 413, 415, 500, 502, 503],
  },
  status: {
    method: "GET",
    path: "/api/pix/:idFaturaPag",
    successes: [200],
    failures: [400, 404, 405, 409, 410, 500, 503],
  },
  simulate: {
    method: "POST",
    path: "/api/pix/simular-pagamento/:idFaturaPag",
    successes: [200],
    failures: [400, 404, 405, 409, 422, 500, 503],
  },
  refund: {
    method: "DELETE",
    path: "/api/pix/:idFaturaPag",
    successes: [200, 202],
    failures: [400, 404, 405, 409, 500, 503],
  },
} as const satisfies Readonly<Record<string, RouteRow>>

/** The document's path. It belongs to the host unless the option `openapi` is set (decision 29). */
export const openApiPath = "/api/openapi.json"

export type RouteName = keyof typeof routes

/**
 * The path of the processor's notices can't be distinguished from other paths.
 *
 * @remedy Give a path like `/webhooks/pix`, which lies neither below one of the service's own routes nor above it.
 * @repeat No, only with another path.
 */
export class InvalidNoticesPath extends TaggedError("InvalidNoticesPath")<{ readonly message: string }> {}

/** Matches segments of letters, digits, `-`, `_`, `~` and dots, except `.` and `..`. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

const ownPaths = Object.values(routes).map(({ path }) => path.replace(/\/:\w+$/, ""))

const isWithin = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`)

const findPathFlaw = (path: string, taken: ReadonlyArray<string>): string | undefined => {
  const bare = plainPath(path)
  const other = taken.find((one) => isWithin(bare, one) || isWithin(one, bare))
  if (plain.test(bare) && !path.includes("?") && other === undefined) return undefined
  return other === undefined ? "must be a plain path" : `must lie neither below ${other} nor above it`
}

/** A sentence; undefined for a sound path. */
export const checkoutPathFlaw = (path: string): string | undefined => {
  const flaw = findPathFlaw(path, ownPaths)
  return flaw && `the path of the checkout ${flaw}: choose one like /pagar`
}

/** Also if it overlaps with `checkout`, the path of payers' pages. A sentence; undefined for a sound path. */
export const noticesPathFlaw = (path: string, checkout?: string): string | undefined => {
  const flaw = findPathFlaw(path, checkout === undefined ? ownPaths : [...ownPaths, plainPath(checkout)])
  return flaw && `the path of the notices ${flaw}: choose one like /webhooks/pix`
}

/** Returns the path, or fails with `InvalidNoticesPath`. */
export const checkNoticesPath = (
  path: string | undefined,
  checkout?: string,
): Effect.Effect<string | undefined, InvalidNoticesPath> => {
  const flaw = path === undefined ? undefined : noticesPathFlaw(path, checkout)
  return flaw === undefined
    ? Effect.succeed(path)
    : new InvalidNoticesPath({ message: `pixcharge can't be mounted: ${flaw}.` })
}

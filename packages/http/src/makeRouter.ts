import type { Exchange } from "@pixcharge/core"
import { percentDecode, plainPath } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { pathAndQuery } from "./paths.ts"
import { checkNoticesPath, type InvalidNoticesPath, openApiPath, type RouteName, routes } from "./wire/routes.ts"

/** What a request asks of pixcharge. */
export type Match =
  | { readonly _tag: "Route"; readonly name: RouteName; readonly parameter: string }
  /** A path of ours, under a method that it doesn't have; `allow` names those that it has. */
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  /** The document of the contract, which the host wants served. */
  | { readonly _tag: "OpenApi" }
  /** The processor's own route; `below` is what the path has below it. */
  | { readonly _tag: "Notices"; readonly below: string }
  /** The payers' pages; `below` is what the path has below theirs. */
  | { readonly _tag: "Checkout"; readonly below: string }
  /** A path so near to one of ours that it may hold a secret, which the host's page for unknown paths might repeat. */
  | { readonly _tag: "Ambiguous" }

/** Matches a method and a path below the mount, with or without its query; undefined if it is the host's own (decision 29). */
export type Router = (method: string, url: string) => Match | undefined

/** The routes of one path. */
interface PathRow {
  readonly pattern: RegExp
  readonly names: ReadonlyMap<string, RouteName>
  readonly wrongMethod: Match
}

/** Matches a fixed path, with any of its characters percent-encoded. */
const writePathPattern = (path: string): string =>
  path.replace(/[^/]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16)
    return `(?:[${character}]|%${hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`
  })

/**
 * Matches a path, with or without query, and its parameter, which is one segment; the token's secret is all that is left,
 * slashes too (decision 2).
 */
const makePathPattern = (path: string): RegExp => {
  const [fixed = "", parameter] = path.split("/:")
  if (path === routes.token.path) return new RegExp(`^${writePathPattern(fixed)}/([^?]*)`)
  return new RegExp(`^${writePathPattern(fixed)}${parameter === undefined ? "" : "/([^/?]+)"}/?(?:\\?|$)`)
}

const pathRows: ReadonlyArray<PathRow> = [...new Set(Object.values(routes).map(({ path }) => path))].map((path) => {
  const here = Object.entries(routes).filter(([, route]) => route.path === path)
  const names = new Map(here.map(([name, { method }]) => [method as string, name as RouteName]))
  const wrongMethod: Match = { _tag: "WrongMethod", allow: [...names.keys()].join(", ") }
  return { pattern: makePathPattern(path), names, wrongMethod }
})

const findRoute: Router = (method, url) => {
  if (method === "OPTIONS") return undefined
  for (const { pattern, names, wrongMethod } of pathRows) {
    const found = pattern.exec(url)
    if (found === null) continue
    const name = names.get(method)
    if (name === undefined) return wrongMethod
    const [, parameter = ""] = found
    // The token's secret is decoded where it is parsed; a broken percent-encoding stands for itself.
    return { _tag: "Route", name, parameter: name === "token" ? parameter : (percentDecode(parameter) ?? parameter) }
  }
  return undefined
}

const openApiPattern = new RegExp(`^${writePathPattern(openApiPath)}/?(?:\\?|$)`)

const findOpenApi: Router = (method, url) => {
  if (method === "OPTIONS" || !openApiPattern.test(url)) return undefined
  return method === "GET" ? { _tag: "OpenApi" } : { _tag: "WrongMethod", allow: "GET" }
}

/** What a URL has below a path, any number of slashes between its segments; undefined for a URL that is not below it. */
const makePathMatcher = (path: string): ((url: string) => string | undefined) => {
  const root = writePathPattern(plainPath(path)).replaceAll("/", "/+")
  const pattern = new RegExp(`^${root}(/[^?]*)?(?:\\?|$)`)
  return (url) => {
    const found = pattern.exec(url)
    return found === null ? undefined : plainPath(found[1] ?? "")
  }
}

/** Finds notices at or below a path. */
const makeNoticesRouter = (path: string): Router => {
  const findBelow = makePathMatcher(path)
  return (_, url) => {
    const below = findBelow(url)
    return below === undefined ? undefined : { _tag: "Notices", below }
  }
}

/** The path that browsers call from other origins, so that an `OPTIONS` may come first. */
const openState = /^\/[^/]+\/estado$/

/** Finds the payers' pages at or below a path. */
const makeCheckoutRouter = (path: string): Router => {
  const findBelow = makePathMatcher(path)
  return (method, url) => {
    const below = findBelow(url)
    if (below === undefined || (method === "OPTIONS" && !openState.test(below))) return undefined
    return { _tag: "Checkout", below }
  }
}

const mayMislead = /\/\/|\/\.|\/%2e|\\|%2f|%5c/i

/** What some readers make of a path: without empty segments and dot segments, and every slash a plain one. */
const normalizeSlashes = (url: string): string =>
  new URL(`http://host${url.replace(/%2f|%5c/gi, "/")}`).pathname.replace(/\/{2,}/g, "/")

/** A capital letter, percent-encoded. */
const encodedCapital = /%(?:4[1-9a-f]|5[0-9a])/gi

/** A path as the most lenient readers take it: some of them ignore case, too. */
const readLeniently = (path: string): string =>
  (mayMislead.test(path) ? normalizeSlashes(path) : path).replace(encodedCapital, decodeURIComponent).toLowerCase()

/** What is mounted besides the contract's routes. */
export interface Mounts {
  /** Where the processor calls. */
  readonly notices?: string | undefined
  /** Whether the OpenAPI document is served. */
  readonly openApi?: boolean | undefined
  /** Where the payers' pages are. */
  readonly checkout?: string | undefined
}

/** A router for each mount, which finds its paths in any percent-encoding. */
const listRouters = ({ notices, openApi = false, checkout }: Mounts): ReadonlyArray<Router> => [
  findRoute,
  ...(notices === undefined ? [] : [makeNoticesRouter(notices)]),
  ...(openApi ? [findOpenApi] : []),
  ...(checkout === undefined ? [] : [makeCheckoutRouter(checkout)]),
]

/** The router of the contract's routes, and of what else is mounted. */
export const makeRouter = (mounts: Mounts = {}): Router => {
  const { notices, checkout } = mounts
  const routers = listRouters(mounts)
  const lowerCaseRouters = listRouters({
    ...mounts,
    notices: notices?.toLowerCase(),
    checkout: checkout?.toLowerCase(),
  })
  return (method, url) => {
    const path = pathAndQuery(url)
    for (const find of routers) {
      const found = find(method, path)
      if (found !== undefined) return found
    }
    const lenient = readLeniently(path)
    return lowerCaseRouters.some((find) => find(method, lenient) !== undefined) ? { _tag: "Ambiguous" } : undefined
  }
}

/**
 * Tells the requests that `PixHttp` answers from those that are the host's own, without any of its services. Fails for such
 * a path of the notices as the layer of `PixHttp` does.
 */
export const makeIsOwnRequest = (
  mounts: Mounts = {},
): Effect.Effect<(exchange: Pick<Exchange, "method" | "url">) => boolean, InvalidNoticesPath> =>
  Effect.map(checkNoticesPath(mounts.notices, mounts.checkout), () => {
    const router = makeRouter(mounts)
    return ({ method, url }) => router(method, url) !== undefined
  })

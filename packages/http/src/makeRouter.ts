import type { Exchange } from "@pixcharge/core"
import { percentDecode, plainPath } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { pathAndQuery } from "./paths.ts"
import { checkNoticesPath, type InvalidNoticesPath, openApiPath, type RouteName, routes } from "./wire/routes.ts"

export type Match =
  | { readonly _tag: "Route"; readonly name: RouteName; readonly parameter: string }
  /** One of our paths with an unsupported method; `allow` names the supported methods. */
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  | { readonly _tag: "OpenApi" }
  /** The processor's route; `below` is the rest of the path. */
  | { readonly _tag: "Notices"; readonly below: string }
  | { readonly _tag: "Checkout"; readonly below: string }
  /** A path so similar to ours that it can hold a secret, which the host's page for unknown paths could repeat. */
  | { readonly _tag: "Ambiguous" }

/**
 * Matches a method and a path below the mount, with or without query; undefined if the request belongs to the host (decision
 * 29).
 */
export type Router = (method: string, url: string) => Match | undefined

interface PathRow {
  readonly pattern: RegExp
  readonly names: ReadonlyMap<string, RouteName>
  readonly wrongMethod: Match
}

const writePathPattern = (path: string): string =>
  path.replace(/[^/]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16)
    return `(?:[${character}]|%${hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`
  })

/**
 * Matches a path, with or without query, and its parameter of one segment. The token route's parameter is the whole rest of the
 * path, including slashes (decision 2).
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
    // The token route's handler decodes the secret. A broken percent-encoding stays unchanged.
    return { _tag: "Route", name, parameter: name === "token" ? parameter : (percentDecode(parameter) ?? parameter) }
  }
  return undefined
}

const openApiPattern = new RegExp(`^${writePathPattern(openApiPath)}/?(?:\\?|$)`)

const findOpenApi: Router = (method, url) => {
  if (method === "OPTIONS" || !openApiPattern.test(url)) return undefined
  return method === "GET" ? { _tag: "OpenApi" } : { _tag: "WrongMethod", allow: "GET" }
}

/** With any number of slashes between segments; undefined for another URL. */
const makePathMatcher = (path: string): ((url: string) => string | undefined) => {
  const root = writePathPattern(plainPath(path)).replaceAll("/", "/+")
  const pattern = new RegExp(`^${root}(/[^?]*)?(?:\\?|$)`)
  return (url) => {
    const found = pattern.exec(url)
    return found === null ? undefined : plainPath(found[1] ?? "")
  }
}

const makeNoticesRouter = (path: string): Router => {
  const findBelow = makePathMatcher(path)
  return (_, url) => {
    const below = findBelow(url)
    return below === undefined ? undefined : { _tag: "Notices", below }
  }
}

/** Browsers call this path from other origins, and can send `OPTIONS` first. */
const openState = /^\/[^/]+\/estado$/

const makeCheckoutRouter = (path: string): Router => {
  const findBelow = makePathMatcher(path)
  return (method, url) => {
    const below = findBelow(url)
    if (below === undefined || (method === "OPTIONS" && !openState.test(below))) return undefined
    return { _tag: "Checkout", below }
  }
}

const mayMislead = /\/\/|\/\.|\/%2e|\\|%2f|%5c/i

/** Some servers resolve dot segments, drop empty ones and decode slashes. */
const normalizeSlashes = (url: string): string =>
  new URL(`http://host${url.replace(/%2f|%5c/gi, "/")}`).pathname.replace(/\/{2,}/g, "/")

const encodedCapital = /%(?:4[1-9a-f]|5[0-9a])/gi

/** Reads a path like the most lenient servers, which also ignore case. */
const readLeniently = (path: string): string =>
  (mayMislead.test(path) ? normalizeSlashes(path) : path).replace(encodedCapital, decodeURIComponent).toLowerCase()

export interface Mounts {
  readonly notices?: string | undefined
  readonly openApi?: boolean | undefined
  readonly checkout?: string | undefined
}

/** Each router finds its paths in any percent-encoding. */
const listRouters = ({ notices, openApi = false, checkout }: Mounts): ReadonlyArray<Router> => [
  findRoute,
  ...(notices === undefined ? [] : [makeNoticesRouter(notices)]),
  ...(openApi ? [findOpenApi] : []),
  ...(checkout === undefined ? [] : [makeCheckoutRouter(checkout)]),
]

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

/** Recognises requests for `PixHttp` without services. Fails if the notices' path is unusable. */
export const makeIsOwnRequest = (
  mounts: Mounts = {},
): Effect.Effect<(exchange: Pick<Exchange, "method" | "url">) => boolean, InvalidNoticesPath> =>
  Effect.map(checkNoticesPath(mounts.notices, mounts.checkout), () => {
    const router = makeRouter(mounts)
    return ({ method, url }) => router(method, url) !== undefined
  })

import { plainPath } from "@pixcharge/core"
import { percentDecode } from "./percentDecode.ts"
import { type RouteName, routes } from "./routes.ts"

/** What a request asks of pixcharge. */
export type Match =
  | { readonly _tag: "Route"; readonly name: RouteName; readonly parameter: string }
  /** A path of ours, under a method that it doesn't have; `allow` names those that it has. */
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  /** The processor's own route; `below` is what the path has below it. */
  | { readonly _tag: "Notices"; readonly below: string }

/** Of a method and a path, with or without query, below the mount; undefined is the host's own (decision 29). */
export type Router = (method: string, url: string) => Match | undefined

/** The routes of one path. */
interface PathRow {
  readonly pattern: RegExp
  readonly names: ReadonlyMap<string, RouteName>
  readonly wrongMethod: Match
}

/**
 * Matches a path, with or without query, and its parameter, which is one segment; the token's secret is all that is left,
 * slashes too (decision 2).
 */
const pathPattern = (path: string): RegExp =>
  path === routes.token.path
    ? new RegExp(`^${path.replace(/:\w+$/, "([^?]*)")}`)
    : new RegExp(`^${path.replace(/:\w+$/, "([^/?]+)")}/?(?:\\?|$)`)

const pathRows: ReadonlyArray<PathRow> = [...new Set(Object.values(routes).map(({ path }) => path))].map((path) => {
  const here = Object.entries(routes).filter(([, route]) => route.path === path)
  const names = new Map(here.map(([name, { method }]) => [method as string, name as RouteName]))
  const wrongMethod: Match = { _tag: "WrongMethod", allow: [...names.keys()].join(", ") }
  return { pattern: pathPattern(path), names, wrongMethod }
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

/** The router of the contract's routes and, if the processor has one, of its own inbound route below `noticesPath`. */
export const makeRouter = (noticesPath?: string): Router => {
  if (noticesPath === undefined) return findRoute
  const noticesRoot = plainPath(noticesPath)
  const findNotices = (url: string): Match | undefined => {
    const path = plainPath(url)
    if (path !== noticesRoot && !path.startsWith(`${noticesRoot}/`)) return undefined
    return { _tag: "Notices", below: path.slice(noticesRoot.length) }
  }
  return (method, url) => findRoute(method, url) ?? findNotices(url)
}

import { plainPath } from "@pixcharge/core"
import { type RouteName, routes } from "./routes.ts"

/** What of ours a request asks for. */
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
  /** What the path must be, or begin with when it takes a parameter. */
  readonly prefix: string
  readonly parameter: "none" | "segment" | "rest"
  readonly names: ReadonlyMap<string, RouteName>
  readonly wrongMethod: Match
}

const pathRows: ReadonlyArray<PathRow> = [...new Set(Object.values(routes).map(({ path }) => path))].map((path) => {
  const here = Object.entries(routes).filter(([, route]) => route.path === path)
  const names = new Map(here.map(([name, { method }]) => [method as string, name as RouteName]))
  return {
    prefix: path.replace(/:\w+$/, ""),
    parameter: here[0]?.[1].parameter ?? "none",
    names,
    wrongMethod: { _tag: "WrongMethod", allow: [...names.keys()].join(", ") },
  }
})

const withoutTrailingSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path)

/** A segment means what its percent-encoding stands for (RFC 3986, 6.2.2.2); a broken one stands for itself. */
const decodeSegment = (segment: string): string => {
  if (!segment.includes("%")) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The row's parameter if the path is its; a trailing slash makes no difference, but in a parameter that takes the rest. */
const readParameter = ({ prefix, parameter }: PathRow, path: string): string | undefined => {
  if (parameter === "none") return withoutTrailingSlash(path) === prefix ? "" : undefined
  if (!path.startsWith(prefix)) return undefined
  if (parameter === "rest") return path.slice(prefix.length)
  const segment = withoutTrailingSlash(path.slice(prefix.length))
  return segment === "" || segment.includes("/") ? undefined : decodeSegment(segment)
}

const findRoute: Router = (method, url) => {
  if (method === "OPTIONS" || !url.startsWith("/api/")) return undefined
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  for (const row of pathRows) {
    const parameter = readParameter(row, path)
    if (parameter === undefined) continue
    const name = row.names.get(method)
    return name === undefined ? row.wrongMethod : { _tag: "Route", name, parameter }
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

import type { Exchange, Reply } from "@pixcharge/core"
import { percentDecode } from "@pixcharge/core/internal"
import { METHOD_NAME_ALL } from "hono/router"
import { TrieRouter } from "hono/router/trie-router"

type Names<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Names<Segment> | Names<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** The decoded parameters of a path: `id` for `/charges/:id`. */
export type Params<Path extends string> = { readonly [name in Names<Path>]: string }

/** A form's fields by name, each once. */
export type Form = Readonly<Record<string, string | undefined>>

/** A request for a page. */
export interface PageRequest<Path extends string = string> {
  readonly exchange: Exchange
  readonly params: Params<Path>
  readonly query: URLSearchParams
  /** The relative address of the app's root, `./` or `../../`: the prefix of links, forms and assets. */
  readonly root: string
  /**
   * Reads the submitted form.
   *
   * Rejects for another media type, more than 64 KB or a repeated field. Handlers don't catch that: the app then shows its
   * `failurePage`.
   */
  readonly form: () => Promise<Form>
}

/** One method of one path of an app. */
export interface Route {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly handle: (request: PageRequest<never>) => Reply | Promise<Reply>
}

type Handle<Path extends string> = (request: PageRequest<Path>) => Reply | Promise<Reply>

/**
 * A page of an app. `HEAD` is answered with the page's headers.
 *
 * `/` is the app's root. Other paths have no trailing slash. A segment like `:id` is a parameter.
 */
export const get = <const Path extends string>(path: Path, handle: Handle<Path>): Route => ({
  method: "GET",
  path,
  handle: handle as Route["handle"],
})

/** The target of a form. Only routes with this method make changes. */
export const post = <const Path extends string>(path: Path, handle: Handle<Path>): Route => ({
  method: "POST",
  path,
  handle: handle as Route["handle"],
})

export interface Match {
  readonly params: Readonly<Record<string, string>>
  readonly route: Route | undefined
  readonly allow: string
}

/** No id is longer than this. A longer parameter matches no route, because pages show parameters. */
const maxParameterLength = 256

const decodeParams = (encoded: Readonly<Record<string, string>>): Match["params"] | undefined => {
  const params: Record<string, string> = {}
  for (const [name, segment] of Object.entries(encoded)) {
    const value = percentDecode(segment)
    if (value === undefined || value.length > maxParameterLength) return undefined
    params[name] = value
  }
  return params
}

export const makeRouteTable = (routes: ReadonlyArray<Route>) => {
  const router = new TrieRouter<Route>()
  // Each route is added for all methods, because `Allow` needs all routes of a path.
  for (const route of routes) router.add(METHOD_NAME_ALL, route.path, route)
  return (method: string, path: string): Match | undefined => {
    const [matches] = router.match(METHOD_NAME_ALL, path) as [ReadonlyArray<[Route, Match["params"]]>]
    const fitting = matches.flatMap(([route, encoded]) => {
      const params = decodeParams(encoded)
      return params === undefined ? [] : [{ route, params }]
    })
    const [first] = fitting
    if (first === undefined) return undefined
    const chosen = fitting.find(({ route }) => route.method === method)
    const methods = new Set(fitting.map(({ route }) => route.method))
    return {
      params: (chosen ?? first).params,
      route: chosen?.route,
      allow: [...methods].flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each])).join(", "),
    }
  }
}

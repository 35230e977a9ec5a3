import type { Route } from "./Route.ts"

/** A path of the app; without a route for the method, `allow` has the methods that it takes. */
export interface Match {
  readonly params: Readonly<Record<string, string>>
  readonly route: Route | undefined
  readonly allow: string
}

/** A page repeats parameters of its address, which must not make it long. No name of ours is as long. */
const maxParameterLength = 256

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The parameters of a path by a pattern; undefined if the path doesn't fit it. */
const matchParams = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] ?? ""
    if (expected.startsWith(":")) {
      const value = decode(segment)
      if (value === undefined || value === "" || value.length > maxParameterLength) return undefined
      params[expected.slice(1)] = value
    } else if (expected !== segment) return undefined
  }
  return params
}

/** Makes the function that finds the route of a method and a path: the first one that fits. */
export const makeRouteTable = (routes: ReadonlyArray<Route>) => {
  const table = routes.map((route) => ({ route, pattern: route.path.split("/") }))
  return (method: string, path: string): Match | undefined => {
    const segments = path.split("/")
    const fitting = table.flatMap(({ route, pattern }) => {
      const params = matchParams(pattern, segments)
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

/** What a request asks for. `Unknown` is none of ours and falls through to the host (decision 29). */
export type Route =
  | { readonly _tag: "Token"; readonly secretPath: string }
  | { readonly _tag: "Issue" }
  | { readonly _tag: "Status"; readonly id: string }
  | { readonly _tag: "Refund"; readonly id: string }
  | { readonly _tag: "Simulate"; readonly id: string }
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  | { readonly _tag: "Unknown" }

interface Row {
  /** What the path must be, or begin with when it takes a parameter. */
  readonly path: string
  readonly takes: "nothing" | "segment" | "rest"
  readonly methods: Readonly<Record<string, (parameter: string) => Route>>
}

// The secret of the token route may hold raw slashes (decision 2), so that it takes the whole rest of the path.
const rows: ReadonlyArray<Row> = [
  { path: "/api/token/", takes: "rest", methods: { GET: (secretPath) => ({ _tag: "Token", secretPath }) } },
  { path: "/api/pix", takes: "nothing", methods: { POST: () => ({ _tag: "Issue" }) } },
  { path: "/api/pix/simular-pagamento/", takes: "segment", methods: { POST: (id) => ({ _tag: "Simulate", id }) } },
  {
    path: "/api/pix/",
    takes: "segment",
    methods: { GET: (id) => ({ _tag: "Status", id }), DELETE: (id) => ({ _tag: "Refund", id }) },
  },
]

/** The five routes' templates, for whoever names them in logs or checks them against the contract. */
export const routeTemplates = [
  "GET /api/token/{segredoBase64}",
  "POST /api/pix",
  "GET /api/pix/{idFaturaPag}",
  "POST /api/pix/simular-pagamento/{idFaturaPag}",
  "DELETE /api/pix/{idFaturaPag}",
] as const

const unknown: Route = { _tag: "Unknown" }

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

/** The row's parameter if the path is its; a trailing slash makes no difference, but in a secret. */
const parameterOf = ({ path, takes }: Row, asked: string): string | undefined => {
  if (takes === "nothing") return withoutTrailingSlash(asked) === path ? "" : undefined
  if (!asked.startsWith(path)) return undefined
  if (takes === "rest") return asked.slice(path.length)
  const segment = withoutTrailingSlash(asked.slice(path.length))
  return segment === "" || segment.includes("/") ? undefined : decodeSegment(segment)
}

/** The route of a method and a path (with or without query) below the mount. */
export const routeOf = (method: string, url: string): Route => {
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  if (method === "OPTIONS" || !path.startsWith("/api/")) return unknown
  for (const row of rows) {
    const parameter = parameterOf(row, path)
    if (parameter === undefined) continue
    const route = Object.hasOwn(row.methods, method) ? row.methods[method] : undefined
    return route?.(parameter) ?? { _tag: "WrongMethod", allow: Object.keys(row.methods).join(", ") }
  }
  return unknown
}

/** One route of the contract: what the router, the handlers and the document of the interface (`PixApi`) have in common. */
interface RouteRow {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the mount. A parameter, `:name`, is always the last segment; the token's is the rest of the path. */
  readonly path: `/${string}`
  readonly successes: ReadonlyArray<number>
  /** Besides the 401 of every route that wants a token. */
  readonly failures: ReadonlyArray<number>
}

/** The five routes of the contract, and a second way to a token. */
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

/** Where the OpenAPI document is served if the host asks for it; the host's own path otherwise (decision 29). */
export const openApiPath = "/api/openapi.json"

export type RouteName = keyof typeof routes

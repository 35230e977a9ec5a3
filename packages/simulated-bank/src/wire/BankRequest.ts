import * as Predicate from "effect/Predicate"
import type { IncomingHttpHeaders } from "node:http"

/** The caller, as its TLS certificate names it. */
export interface Caller {
  readonly commonName?: string
  readonly fingerprint?: string
}

export interface BankRequest {
  readonly method: string
  /** The path below the API's root; `/oauth/token` for tokens; the whole path outside of the API (`isElsewhere`). */
  readonly path: string
  readonly isElsewhere: boolean
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly authorization: string | undefined
  readonly text: string
  readonly caller: Caller
}

/** A status and JSON, or only the status. */
export interface BankAnswer {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
}

/** A refusal in the form of RFC 7807, with API Pix's type. */
export const problem = (status: number, kind: string, detail: string, property?: string): BankAnswer => ({
  status,
  contentType: "application/problem+json",
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
    title: kind,
    status,
    detail,
    ...(property !== undefined && { violacoes: [{ razao: detail, propriedade: property }] }),
  },
})

export const isRefusalOf = ({ body }: BankAnswer, property: string): boolean =>
  Predicate.hasProperty(body, "violacoes") &&
  (body.violacoes as ReadonlyArray<{ readonly propriedade: string }>).some(({ propriedade }) =>
    propriedade.endsWith(property),
  )

/** The decoded segments of a path, without a slash at the end. Throws a `URIError` for a path that can't be decoded. */
export const segments = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .filter((one) => one !== "")
    .map(decodeURIComponent)

/** Names a call by method and path without its ids, like `GET loc {id} qrcode`. */
export const nameCall = (method: string, path: string): string => {
  const [resource, id, part] = segments(path)
  return [method, resource, id && "{id}", part].filter((one) => one !== undefined).join(" ")
}

import type { IncomingHttpHeaders } from "node:http"

/** The caller: common name and fingerprint of its certificate under TLS. */
export interface Caller {
  readonly commonName?: string
  readonly fingerprint?: string
}

/** One call of the API. */
export interface BankRequest {
  readonly method: string
  /** Below the API's root; `/oauth/token` for tokens; unchanged outside of the API (`isElsewhere`). */
  readonly path: string
  readonly isElsewhere: boolean
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly authorization: string | undefined
  readonly text: string
  readonly caller: Caller
}

import type { IncomingHttpHeaders } from "node:http"

/** Who calls: the common name and the fingerprint of its certificate, where there is TLS. */
export interface Caller {
  readonly commonName?: string
  readonly fingerprint?: string
}

/** One call of the API as it came. */
export interface BankRequest {
  readonly method: string
  /** Below the API's root; `/oauth/token` for tokens; as it came where this bank has nothing (`isElsewhere`). */
  readonly path: string
  readonly isElsewhere: boolean
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly authorization: string | undefined
  readonly text: string
  readonly caller: Caller
}

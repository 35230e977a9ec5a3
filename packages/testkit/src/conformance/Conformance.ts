import type { Responder } from "@pixcharge/http"
import type { SandboxPix } from "@pixcharge/embed"
import type { Answer, Call } from "./HttpClient.ts"
import type { Actor } from "./World.ts"

/** A running server that has pixcharge's routes below `baseUrl`. */
export interface Mounted {
  readonly baseUrl: string
  readonly close: () => Promise<void>
  /** The host has a route `GET /host` of its own, and answers 404 without `sucesso` to unknown paths. */
  readonly hasHost: boolean
  /** A parser of the host's reads JSON before the routes. */
  readonly parsesJson?: boolean
  /** The host reads bodies to their ends before the routes, and keeps what it has read. */
  readonly readsBodies?: boolean
  /** The host's own parsers refuse longer bodies. Absent: they refuse none that pixcharge takes. */
  readonly hostLimitBytes?: number
}

/** Mounts pixcharge in the framework under test, on a port of its own. */
export type Mount = (pix: Responder & Pick<SandboxPix, "fetch">) => Promise<Mounted>

/** What the rows of the table work with. */
export interface Conformance {
  readonly pix: SandboxPix
  readonly mounted: Mounted
  readonly call: (call: Call) => Promise<Answer>
  /** The same as a company that has authenticated. */
  readonly callAs: (actor: Actor, call: Call) => Promise<Answer>
  readonly tokenFor: (actor: Actor) => string
}

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
  /** The host parses JSON before the routes. */
  readonly parsesJson?: boolean
  /** The host reads whole bodies before the routes, and keeps them. */
  readonly readsBodies?: boolean
  /** The host's router answers 404 to a path whose percent-encoding is broken. */
  readonly refusesBrokenPaths?: boolean
  /** The host's parsers refuse longer bodies. Absent: they accept all that pixcharge accepts. */
  readonly hostLimitBytes?: number
}

/** Mounts pixcharge in the framework under test, on its own port. */
export type Mount = (pix: Responder & Pick<SandboxPix, "fetch">) => Promise<Mounted>

/** What the rows of the table use. */
export interface Conformance {
  readonly pix: SandboxPix
  readonly mounted: Mounted
  readonly call: (call: Call) => Promise<Answer>
  /** The same, as an authenticated company. */
  readonly callAs: (actor: Actor, call: Call) => Promise<Answer>
  readonly tokenFor: (actor: Actor) => string
}

import type { Responder } from "@pixcharge/http"
import type { SandboxPix } from "@pixcharge/embed"
import type { Answer, Call } from "./HttpClient.ts"
import type { Actor } from "./World.ts"

/** A running server that has pixcharge's routes below `baseUrl`. */
export interface Mounted {
  readonly baseUrl: string
  readonly close: () => Promise<void>
  /** The host has its own route `GET /host`, and answers 404 without `sucesso` to unknown paths. */
  readonly hasHost: boolean
  /** The host parses JSON before the routes. */
  readonly parsesJson?: boolean
  /** The host reads whole bodies before the routes, and keeps them. */
  readonly readsBodies?: boolean
  /** The host's router answers 404 to a path whose percent-encoding is broken. */
  readonly refusesBrokenPaths?: boolean
  /** The longest body that the host's parsers accept; by default they accept all that pixcharge accepts. */
  readonly hostLimitBytes?: number
}

/** Mounts pixcharge in the framework under test, in a server on a free port. */
export type Mount = (pix: Responder & Pick<SandboxPix, "fetch">) => Promise<Mounted>

export interface Conformance {
  readonly pix: SandboxPix
  readonly mounted: Mounted
  readonly call: (call: Call) => Promise<Answer>
  readonly callAs: (actor: Actor, call: Call) => Promise<Answer>
  readonly tokenFor: (actor: Actor) => string
}

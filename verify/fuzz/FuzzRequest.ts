import { type Call } from "@pixcharge/testkit/conformance"

/** The ways in which the routes are mounted; each is a server of its own. */
export const mountNames = ["express", "expressAfterJson", "hono", "honoUnderPrefix"] as const

/** The mount of production, where a bank's notices come; for it the tokens of the others are another environment's. */
export const production = "production"

export type MountName = (typeof mountNames)[number] | typeof production

/** A request by the rules of HTTP. */
export interface CallRequest {
  readonly _tag: "Call"
  readonly mount: MountName
  readonly call: Call
}

/** Bytes on a socket, which may be no HTTP at all; each text is written alone, a character a byte. */
export interface BytesRequest {
  readonly _tag: "Bytes"
  readonly mount: MountName
  readonly writes: ReadonlyArray<string>
}

/**
 * What is sent under a number. It is a function of seed and number, but for tokens, which a run is given anew: `{token:N}`
 * stands for that of the tenant N, and `{notices}` for the path of a bank's webhook.
 */
export type FuzzRequest = CallRequest | BytesRequest

import type { Call } from "@pixcharge/adapter-tests/conformance"

export const mountNames = ["express", "expressAfterJson", "hono", "honoUnderPrefix"] as const

/** The mount of a host in production, with a bank's webhook. It rejects the tokens of the other mounts. */
export const production = "production"

export type MountName = (typeof mountNames)[number] | typeof production

export interface CallRequest {
  readonly _tag: "Call"
  readonly mount: MountName
  readonly call: Call
}

/** Bytes for a socket, possibly invalid HTTP. Each string is written separately, one byte per character. */
export interface BytesRequest {
  readonly _tag: "Bytes"
  readonly mount: MountName
  readonly writes: ReadonlyArray<string>
}

/**
 * A request that follows from the seed and the request's number. It contains placeholders for what differs between
 * runs: `{token:N}` for tenant N's token, `{notices}` for the path of the bank's webhook.
 */
export type FuzzRequest = CallRequest | BytesRequest

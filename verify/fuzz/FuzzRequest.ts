import type { Call } from "@pixcharge/adapter-tests/conformance"

export const mountNames = ["express", "expressAfterJson", "hono", "honoUnderPrefix"] as const

/** The mount of production, with a bank's webhook. It rejects the other mounts' tokens. */
export const production = "production"

export type MountName = (typeof mountNames)[number] | typeof production

export interface CallRequest {
  readonly _tag: "Call"
  readonly mount: MountName
  readonly call: Call
}

/** Bytes on a socket, possibly invalid HTTP. Each text is written separately, one byte per character. */
export interface BytesRequest {
  readonly _tag: "Bytes"
  readonly mount: MountName
  readonly writes: ReadonlyArray<string>
}

/**
 * A numbered request that follows from seed and number. Only tokens differ between runs: `{token:N}` stands for tenant N's token,
 * `{notices}` for the path of a bank's webhook.
 */
export type FuzzRequest = CallRequest | BytesRequest

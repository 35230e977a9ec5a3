import type { PlainEvent } from "@pixcharge/core/charges"
import { parseCallbackSecret } from "@pixcharge/core/directory"
import { addIso } from "@pixcharge/core/internal"
import { isSigned } from "../signature.ts"
import { decodeEventBody } from "../wire/EventBody.ts"

/**
 * Why a request is rejected: `unsigned` (a header is missing or malformed), `forged` (no secret made its signature), `stale`
 * (signed more than five minutes ago or ahead), `malformed` (signed, but not one of our events).
 */
export type EventRejection = "unsigned" | "forged" | "stale" | "malformed"

export interface SignedRequest {
  /** A header's value by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The body exactly as it arrived. */
  readonly body: string
}

/** An older request can be a replay (Standard Webhooks). */
const toleranceSeconds = 300

const wholeSeconds = /^\d{1,15}$/

/** A signature has 47 characters, and each secret makes one. */
const maxSignaturesLength = 4_096

interface SignatureHeaders {
  readonly id: string
  readonly timestamp: number
  readonly signatures: string
}

/** Parses the signature headers, or returns why the body needn't be read. */
export const readHeaders = (
  header: SignedRequest["header"],
  nowMs: number = Date.now(),
): SignatureHeaders | "unsigned" | "stale" => {
  const id = header("webhook-id")
  const timestamp = header("webhook-timestamp")
  const signatures = header("webhook-signature")
  if (id === undefined || timestamp === undefined || signatures === undefined) return "unsigned"
  if (!wholeSeconds.test(timestamp) || signatures.length > maxSignaturesLength) return "unsigned"
  const isStale = Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds
  return isStale ? "stale" : { id, timestamp: Number(timestamp), signatures }
}

/**
 * The event of a request, if one of the secrets signed it at most five minutes ago or ahead; otherwise the reason for its
 * rejection. `nowMs` is in epoch milliseconds.
 *
 * Throws a TypeError for an empty list of secrets, and for a secret that is not `whsec_` and 24 to 64 bytes in Base64.
 *
 * @example
 * const header = (name) => request.headers.get(name) ?? undefined
 * const event = verifyEvent({ header, body: await request.text() }, [secret])
 * if (typeof event === "string") return new Response(event, { status: 401 })
 */
export const verifyEvent = (
  { header, body }: SignedRequest,
  secrets: ReadonlyArray<string>,
  nowMs: number = Date.now(),
): PlainEvent | EventRejection => {
  const keys = readSigningKeys(secrets)
  const headers = readHeaders(header, nowMs)
  if (typeof headers === "string") return headers
  const { id, timestamp, signatures } = headers
  if (!isSigned({ id, timestamp, body }, signatures, keys)) return "forged"
  const event = decodeEventBody(body)
  if (event === undefined || event.id !== id) return "malformed"
  return addIso<unknown>(event) as PlainEvent
}

export const readSigningKeys = (secrets: ReadonlyArray<string>): ReadonlyArray<Uint8Array> => {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new TypeError("a receiver needs at least one secret, in a list: { secrets: [secret] }")
  }
  return secrets.map((secret: string) => {
    if (secret === undefined) throw new TypeError("a receiver's secret is missing: it is undefined")
    const key = parseCallbackSecret(secret)
    if (key === undefined) throw new TypeError("a receiver's secret must be whsec_ and 24 to 64 bytes in Base64")
    return key
  })
}

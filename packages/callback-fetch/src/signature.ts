import { createHmac, timingSafeEqual } from "node:crypto"

/**
 * Signatures of Standard Webhooks (decision 23), made by Node's crypto. The library `standardwebhooks` takes 15 to 30 µs for
 * each instead of 5, checks one secret at a time, and increases a receiver's loading time by half.
 */

/** `timestamp`: the attempt's time in seconds since 1970. `body`: as sent. */
export interface SignedContent {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

/** One `v1` signature: HMAC-SHA256 over `id.timestamp.body`, in Base64. */
export const sign = ({ id, timestamp, body }: SignedContent, key: Uint8Array): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`

/** True if a key made one of the signatures. The time of the check doesn't reveal which key or signature matched. */
export const isSigned = (content: SignedContent, header: string, keys: ReadonlyArray<Uint8Array>): boolean => {
  const signatures = header.split(" ").map((signature) => Buffer.from(signature))
  let isMatch = false
  for (const key of keys) {
    const expected = Buffer.from(sign(content, key))
    for (const signature of signatures) {
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) isMatch = true
    }
  }
  return isMatch
}

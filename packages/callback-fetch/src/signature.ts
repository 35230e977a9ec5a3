import { createHmac, timingSafeEqual } from "node:crypto"

/** What is signed: the event's id, the moment of this attempt in seconds since 1970, and the body as it is sent. */
export interface SignedContent {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

/** One `v1` signature (Standard Webhooks): HMAC-SHA256 over `id.timestamp.body`, in base64. */
export const signatureOf = ({ id, timestamp, body }: SignedContent, key: Uint8Array): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`

/** Whether one of the header's signatures was made with one of the keys; the time taken tells nothing of which. */
export const isSigned = (content: SignedContent, header: string, keys: ReadonlyArray<Uint8Array>): boolean => {
  const given = header.split(" ").map((signature) => Buffer.from(signature))
  let matches = false
  for (const key of keys) {
    const expected = Buffer.from(signatureOf(content, key))
    for (const signature of given) {
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) matches = true
    }
  }
  return matches
}

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"

const shortestSecret = 32

/** Throws a RangeError for a secret that is shorter than 32 bytes. */
export const checkSecret = (name: string, secret: string): void => {
  if (Buffer.byteLength(secret) < shortestSecret) {
    throw new RangeError(`${name} must be a secret of at least ${shortestSecret} bytes`)
  }
}

/**
 * What the database holds of an integrator key: HMAC-SHA256 under a pepper that it doesn't know, in hexadecimal. The token
 * route checks it: `integratorKeyDigest` of `@pixcharge/http` must give the same; a test compares them.
 */
export const digestKey = (pepper: string, integratorKey: string): string =>
  createHmac("sha256", pepper).update(integratorKey, "utf8").digest("hex")

const ivBytes = 12
const tagBytes = 16

/** Keeps secrets that must be read again, sealed: AES-256-GCM under the host's key, each bound to its place. */
export const makeSeal = (sealingKey: string) => {
  const key = Buffer.from(hkdfSync("sha256", sealingKey, "", "pixcharge callback secrets", 32))
  return {
    /** The text, readable only with the host's key and for the same place. */
    seal: (text: string, place: string): string => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64")
    },
    /** Throws if the text was sealed with another key or for another place, or was changed. */
    open: (sealed: string, place: string): string => {
      const bytes = Buffer.from(sealed, "base64")
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8")
    },
  }
}

export type Seal = ReturnType<typeof makeSeal>

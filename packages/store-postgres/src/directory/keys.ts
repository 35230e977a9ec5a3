import { InvalidOption } from "@pixcharge/core"
import { type KeyRing, keyRingFlaw } from "@pixcharge/core/directory"
import { newestKey, ringSecret, TaggedError } from "@pixcharge/core/internal"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

/**
 * The ring lacks the key that sealed a callback's secrets.
 *
 * @remedy Put the key back into `sealingKey` of `postgresDirectory`, behind the newest.
 * @repeat Yes, once the key is back.
 */
export class SealingKeyMissing extends TaggedError("SealingKeyMissing")<{ readonly message: string }> {}

/** Throws `InvalidOption` for an invalid ring. */
export const checkRing = (name: string, ring: KeyRing): void => {
  const flaw = keyRingFlaw(name, ring)
  if (flaw !== undefined) throw new InvalidOption({ message: `postgresDirectory: ${flaw}.` })
}

const ivBytes = 12
const tagBytes = 16

export interface Sealed {
  readonly kid: string
  readonly text: string
}

/** Seals secrets with AES-256-GCM, each bound to its place. */
export const makeSeal = (sealingKeys: KeyRing) => {
  const keys = new Map(
    sealingKeys.map((key) => [
      key.kid,
      Buffer.from(hkdfSync("sha256", ringSecret(key), "", "pixcharge callback secrets", 32)),
    ]),
  )
  const getKey = (kid: string): Buffer => {
    const key = keys.get(kid)
    if (key === undefined) {
      throw new SealingKeyMissing({
        message: `The sealingKey "${kid}" is not in the ring: put it back, behind the newest.`,
      })
    }
    return key
  }
  const { kid: newest } = newestKey(sealingKeys)
  return {
    seal: (text: string, place: string): Sealed => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv("aes-256-gcm", getKey(newest), iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return { kid: newest, text: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64") }
    },
    /** Throws if the key is missing, the place differs, or the text was changed. */
    open: ({ kid, text }: Sealed, place: string): string => {
      const bytes = Buffer.from(text, "base64")
      const decipher = createDecipheriv("aes-256-gcm", getKey(kid), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8")
    },
  }
}

export type Seal = ReturnType<typeof makeSeal>

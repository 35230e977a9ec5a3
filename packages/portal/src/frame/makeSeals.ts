import type { TextSignatures } from "@pixcharge/web"
import { Buffer } from "node:buffer"

/** As long as a form of a page that is left open. */
const validMs = 12 * 3_600_000
/** Texts are filled up to a multiple of this length, so that a sealed one doesn't tell its own. */
const blockLength = 64

/** The person that a sealed text is for, and the company. */
export interface SealReader {
  readonly who: string
  readonly company: string
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const encode = (bytes: ArrayBufferLike | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString("base64url")

/**
 * Seals texts that an address has to carry and nobody is to read in it: AES-256-GCM under a key of its own for each, which
 * is derived from the signatures' key, the reader and the expiry.
 *
 * A change of the signing key ends them, as their expiry does.
 */
export const makeSeals = (signatures: TextSignatures, now: () => number) => {
  const deriveKey = async ({ who, company }: SealReader, until: string, salt: string) => {
    const secret = await signatures.sign(JSON.stringify(["seal", who, company, until, salt]))
    const key = await crypto.subtle.digest("SHA-256", toBytes(secret))
    return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"])
  }
  const cipher = (salt: string) => ({ name: "AES-GCM", iv: Buffer.from(salt, "base64url") })

  return {
    seal: async (reader: SealReader, text: string): Promise<string> => {
      const until = String(now() + validMs)
      const salt = encode(crypto.getRandomValues(new Uint8Array(12)))
      const filled = text.padEnd(Math.ceil(text.length / blockLength) * blockLength)
      const sealed = await crypto.subtle.encrypt(cipher(salt), await deriveKey(reader, until, salt), toBytes(filled))
      return [until, salt, encode(sealed)].join(".")
    },
    /** The text, without blanks at its end; undefined if it wasn't sealed for this reader, or is too old. */
    open: async (reader: SealReader, token: string): Promise<string | undefined> => {
      const [until = "", salt = "", sealed = ""] = token.split(".", 3)
      if (!(Number(until) > now())) return undefined
      try {
        const key = await deriveKey(reader, until, salt)
        const text = await crypto.subtle.decrypt(cipher(salt), key, Buffer.from(sealed, "base64url"))
        return new TextDecoder().decode(text).trimEnd()
      } catch {
        return undefined
      }
    },
  }
}

export type Seals = ReturnType<typeof makeSeals>

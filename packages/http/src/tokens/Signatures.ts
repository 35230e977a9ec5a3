import { InvalidOption } from "@pixcharge/core"
import type { KeyRing, RingKey } from "@pixcharge/core/directory"
import { makeRecentMap, newestKey, ringSecret } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Buffer } from "node:buffer"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import type { TokenOptions } from "./TokenOptions.ts"

/** Signs texts for one purpose. */
export interface Signature {
  /** The signature of a text: letters, digits, `-` and `_`, as they may stand in a URL. */
  readonly sign: (text: string) => string
  /** Whether a signature is one of this text, made for this purpose with a key of the ring; false for anything else. */
  readonly verify: (text: string, signature: string) => boolean
}

/** 192 bits: more than a forger can try, and 32 characters of Base64url, of which every bit is read. */
const macBytes = 24
const macForm = /^[\w-]{32}/
/** Purposes are few, and written in code. */
const maxPurposes = 100

const computeMac = (key: Buffer, text: string): Buffer => hmac(key, text).subarray(0, macBytes)

const makeSignature = ({ keys, environment }: SignatureOptions, purpose: string): Signature => {
  // A key of its own for each purpose (HKDF, RFC 5869): what is signed for one says nothing for another.
  const info = `pixcharge signatures|${environment}|${purpose}`
  const deriveKey = (key: RingKey): readonly [string, Buffer] => [
    Buffer.from(key.kid, "utf8").toString("base64url"),
    Buffer.from(hkdfSync("sha256", ringSecret(key), "", info, 32)),
  ]
  const [newestKid, signingKey] = deriveKey(newestKey(keys))
  const ring = new Map(keys.map(deriveKey))
  return {
    sign: (text) => `${computeMac(signingKey, text).toString("base64url")}${newestKid}`,
    verify: (text, signature) => {
      const mac = macForm.exec(signature)?.[0] ?? ""
      const key = ring.get(signature.slice(mac.length))
      return mac !== "" && key !== undefined && timingSafeEqual(Buffer.from(mac, "base64url"), computeMac(key, text))
    },
  }
}

/** Whose keys sign: those of the tokens. */
export interface SignatureOptions {
  readonly keys: KeyRing
  /** What was signed in one environment is worth nothing in the other. */
  readonly environment: TokenOptions["environment"]
}

/**
 * Signatures of texts that are handed out and come back, such as links, by the key ring of the tokens: the first key signs,
 * all verify, and each purpose has a key of its own, derived from the ring's.
 */
export class Signatures extends Context.Service<Signatures, { readonly of: (purpose: string) => Signature }>()(
  "@pixcharge/http/Signatures",
) {
  /** For hosts without keys: nothing can be signed. */
  static readonly none = Layer.succeed(Signatures, {
    of: () => {
      throw new InvalidOption({ message: "Nothing can be signed without the option tokens of createPix." })
    },
  })
  /** By a ring that `tokenOptionsFlaw` finds sound. */
  static readonly layer = (options: SignatureOptions) =>
    Layer.effect(
      Signatures,
      Effect.sync(() => {
        const known = makeRecentMap<string, Signature>(maxPurposes)
        return Signatures.of({
          of: (purpose) => {
            const made = known.get(purpose) ?? makeSignature(options, purpose)
            known.set(purpose, made)
            return made
          },
        })
      }),
    )
}

/** HMAC-SHA256 of a text in UTF-8. */
export const hmac = (secret: string | Buffer, text: string): Buffer =>
  createHmac("sha256", secret).update(text, "utf8").digest()

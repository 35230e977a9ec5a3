import { InvalidOption } from "@pixcharge/core"
import type { KeyRing, RingKey } from "@pixcharge/core/directory"
import { makeRecentMap, newestKey, ringSecret } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Buffer } from "node:buffer"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import type { TokenOptions } from "./TokenOptions.ts"

export interface Signature {
  /** Letters, digits, `-` and `_`, as URLs allow. */
  readonly sign: (text: string) => string
  /** True if a key of the ring signed this text for this purpose. */
  readonly verify: (text: string, signature: string) => boolean
}

/** 192 bits are too many to guess, and fill 32 characters of Base64url without unused bits. */
const macBytes = 24
const macForm = /^[\w-]{32}/
/** Purposes are few and fixed in code. */
const maxPurposes = 100

const computeMac = (key: Buffer, text: string): Buffer => hmac(key, text).subarray(0, macBytes)

const makeSignature = ({ keys, environment }: SignatureOptions, purpose: string): Signature => {
  // Each purpose has its own key (HKDF, RFC 5869), so its signatures are invalid for all others.
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

export interface SignatureOptions {
  readonly keys: KeyRing
  /** A signature of one environment is invalid in the other. */
  readonly environment: TokenOptions["environment"]
}

/**
 * Signs strings that are handed out and come back, such as links.
 *
 * Uses the tokens' key ring: the first key signs and all verify. Each purpose has its own keys, derived from them.
 */
export class Signatures extends Context.Service<Signatures, { readonly of: (purpose: string) => Signature }>()(
  "@pixcharge/http/Signatures",
) {
  /** For hosts without keys. It can't sign. */
  static readonly none = Layer.succeed(Signatures, {
    of: () => {
      throw new InvalidOption({ message: "Signing requires the option tokens of createPix." })
    },
  })
  /** Expects options that pass `tokenOptionsFlaw`. */
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

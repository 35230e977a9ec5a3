import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Hex from "effect/encoding/Hex"
import { makeRecentMap } from "../../runtime/RecentMap.ts"
import type { Credential, CredentialKey, KeyDigest } from "./HostCompany.ts"

// A global of every supported runtime.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

export interface RingKey {
  /** Stored beside each value, to find its secret again. */
  readonly kid: string
  /** At least 32 bytes of UTF-8. A host in Effect can pass `Config.redacted`. */
  readonly secret: string | Redacted.Redacted
}

/**
 * The secrets of one purpose, at least one. The first secret makes new values; all secrets read existing values. Append
 * a new secret, and move it to the front once every process has it.
 */
export type KeyRing = ReadonlyArray<RingKey>

export const newestKey = (ring: KeyRing): RingKey => ring[0] as RingKey

export const ringSecret = ({ secret }: RingKey): string =>
  Redacted.isRedacted(secret) ? Redacted.value(secret) : secret

const minBytes = 32

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const isShort = (key: RingKey): boolean => {
  const secret: unknown = ringSecret(key)
  return typeof secret !== "string" || utf8(secret).length < minBytes
}

const isKey = (key: unknown): boolean => Predicate.hasProperty(key, "kid")

/** Why a ring can't be used, in a sentence with `name`; undefined for a valid ring. */
export const keyRingFlaw = (name: string, ring: KeyRing): string | undefined => {
  if (!Array.isArray(ring) || ring.length === 0 || !ring.every(isKey)) {
    return `${name} needs at least one key, as { kid, secret }`
  }
  if (new Set(ring.map(({ kid }) => kid)).size !== ring.length) return `two keys of ${name} share a kid`
  if (ring.some(({ kid }) => !kid)) return `a key of ${name} has an empty kid`
  const missing = ring.find((key) => [undefined, null, ""].includes(ringSecret(key)))
  if (missing)
    return `the secret of ${name} "${missing.kid}" is missing: it is ${ringSecret(missing) === "" ? "empty" : ringSecret(missing)}`
  const short = ring.find(isShort)
  return short && `the secret of ${name} "${short.kid}" is shorter than ${minBytes} bytes`
}

interface HmacKey {
  readonly type: string
}

declare const crypto: {
  readonly getRandomValues: (bytes: Uint8Array) => Uint8Array
  readonly subtle: {
    readonly importKey: (
      ...key: readonly [
        format: "raw",
        secret: Uint8Array,
        algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" },
        isExtractable: false,
        usages: ReadonlyArray<"sign" | "verify">,
      ]
    ) => Promise<HmacKey>
    readonly sign: (algorithm: "HMAC", key: HmacKey, bytes: Uint8Array) => Promise<ArrayBuffer>
    readonly verify: (algorithm: "HMAC", key: HmacKey, digest: Uint8Array, bytes: Uint8Array) => Promise<boolean>
  }
}

const digestBytes = 32

const hmacKey = (secret: Uint8Array): Promise<HmacKey> =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

/** A digest copied to another holder is wrong. */
const boundKey = (holder: string, key: string): Uint8Array => utf8(`${holder}|${key}`)

const sign = async (key: HmacKey, bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes))

/**
 * Digests an integrator key for a database: HMAC-SHA256 of the holder's bare CNPJ, a bar and the key, under a pepper that
 * isn't in the database.
 */
export const integratorKeyDigest = async (pepper: RingKey, holder: string, key: string): Promise<KeyDigest> => ({
  kid: pepper.kid,
  hmac: Hex.encode(await sign(await hmacKey(utf8(ringSecret(pepper))), boundKey(holder, key))),
})

const parseDigest = (hmac: string): Uint8Array | undefined => {
  const bytes = Result.getOrUndefined(Hex.decode(hmac))
  return bytes?.length === digestBytes ? bytes : undefined
}

const maxMissedPeppers = 100

/**
 * Makes the check of a presented integrator key. It always costs two digests and one comparison: timing doesn't reveal
 * known companies (decision 44). Digested keys need their pepper.
 */
export const makeKeyCheck = (pepper: ReadonlyArray<RingKey> = []) => {
  const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(digestBytes))
  const dummyKey = Hex.encode(random())
  const missed = makeRecentMap<string, true>(maxMissedPeppers)
  const importKeys = async () => {
    const keys = await Promise.all(pepper.map(async (key) => [key.kid, await hmacKey(utf8(ringSecret(key)))] as const))
    return { own: await hmacKey(random()), ring: new Map(keys) }
  }
  let imported: ReturnType<typeof importKeys> | undefined

  const isRight = async (presented: string, expected: Credential | undefined): Promise<boolean> => {
    const { holder = "", key } = expected ?? {}
    const { own, ring } = await (imported ??= importKeys())
    const plain = key?._tag === "Plain" ? Redacted.value(key.key) : dummyKey
    const computed = await sign(own, boundKey(holder, plain))
    const kept = key?._tag === "Digest" ? parseDigest(key.hmac) : undefined
    const pepperKey = key?._tag === "Digest" ? ring.get(key.kid) : undefined
    const [verifying, digest] = kept && pepperKey ? [pepperKey, kept] : [own, computed]
    return crypto.subtle.verify("HMAC", verifying, digest, boundKey(holder, presented))
  }

  /** Logs each pepper once. The caller doesn't learn of it (decision 3). */
  const warnOfUnknownPepper = (key: CredentialKey | undefined): Effect.Effect<void> => {
    if (key?._tag !== "Digest" || missed.get(key.kid) || pepper.some(({ kid }) => kid === key.kid)) return Effect.void
    missed.set(key.kid, true)
    return Effect.logError(
      `An integrator key was digested under a pepper that the directory doesn't have: "${key.kid}"`,
    )
  }

  return (presented: string, expected: Credential | undefined): Effect.Effect<Credential | undefined> =>
    Effect.suspend(() =>
      Effect.andThen(
        warnOfUnknownPepper(expected?.key),
        Effect.map(
          Effect.promise(() => isRight(presented, expected)),
          (right) => (right ? expected : undefined),
        ),
      ),
    )
}

import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

// Every JavaScript runtime that this library runs in has it; the project's types name no platform.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

/** One secret of a ring. */
export interface RingKey {
  /** Is kept beside what was made with the secret, and so says which secret reads it. */
  readonly kid: string
  /** At least 32 bytes of UTF-8; a host in Effect may give what `Config.redacted` reads. */
  readonly secret: string | Redacted.Redacted
}

/**
 * The secrets of one purpose: the first makes what is new, all read. A new one is put behind it, and comes to the front once
 * every process has it. At least one.
 */
export type KeyRing = ReadonlyArray<RingKey>

/** The first key of a ring that `keyRingFlaw` finds sound. */
export const newestKey = (ring: KeyRing): RingKey => ring[0] as RingKey

/** The secret as text. */
export const ringSecret = ({ secret }: RingKey): string =>
  Redacted.isRedacted(secret) ? Redacted.value(secret) : secret

const leastBytes = 32

/** A text's bytes in UTF-8. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const isShort = (key: RingKey): boolean => {
  const secret: unknown = ringSecret(key)
  return typeof secret !== "string" || utf8(secret).length < leastBytes
}

/** Rings come from hosts without types, too. */
const isKey = (key: unknown): boolean => Predicate.hasProperty(key, "kid")

/** Why a ring can't be used, in one sentence that names it; undefined for a sound one. */
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
  return short && `the secret of ${name} "${short.kid}" is shorter than ${leastBytes} bytes`
}

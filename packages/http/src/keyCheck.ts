import type { Credential, KeyDigest, KeyRing, RingKey } from "@pixcharge/core"
import * as Redacted from "effect/Redacted"
import { Buffer } from "node:buffer"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { hmac } from "./hmac.ts"

/** What is digested: the key is bound to its holder, so that a digest that was copied to another one opens nothing. */
const boundKey = (holder: string, key: string): string => `${holder}|${key}`

/**
 * What a database should hold of an integrator key: HMAC-SHA256, under a pepper that the database doesn't know, of the CNPJ
 * of its holder without a mask, a bar and the key.
 */
export const integratorKeyDigest = ({ kid, secret }: RingKey, holder: string, key: string): KeyDigest => ({
  kid,
  hmac: hmac(secret, boundKey(holder, key)).toString("hex"),
})

/**
 * Compares a presented integrator key with the expected one: by two digests and one comparison, whether and where they
 * differ, and also where there is nothing to compare with, so that an unknown company costs what a known one does.
 */
export const makeKeyCheck = (peppers: KeyRing | undefined) => {
  const processSecret = randomBytes(32)
  const nobodysKey = randomBytes(32).toString("hex")
  const ring = new Map(peppers?.map(({ kid, secret }) => [kid, secret]))

  return (presented: string, { holder, key }: Partial<Credential> = {}): boolean => {
    const pepper = key?._tag === "Digest" ? ring.get(key.kid) : undefined
    const actual = hmac(pepper ?? processSecret, boundKey(holder ?? "", presented))
    const plain = key?._tag === "Plain" ? Redacted.value(key.key) : nobodysKey
    const computed = hmac(processSecret, boundKey(holder ?? "", plain))
    const kept = pepper !== undefined && key?._tag === "Digest" ? Buffer.from(key.hmac, "hex") : computed
    return timingSafeEqual(actual, kept.length === actual.length ? kept : computed)
  }
}

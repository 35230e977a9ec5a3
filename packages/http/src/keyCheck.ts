import type { CredentialKey } from "@pixcharge/core"
import * as Redacted from "effect/Redacted"
import { Buffer } from "node:buffer"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

const hmac = (secret: string | Buffer, text: string): Buffer =>
  createHmac("sha256", secret).update(text, "utf8").digest()

/**
 * The digest of an integrator key that a database should hold, in hexadecimal: HMAC-SHA256 under a pepper that the
 * database doesn't know.
 */
export const integratorKeyDigest = (key: string, pepper: string): string => hmac(pepper, key).toString("hex")

/** Compares a presented integrator key with the expected one, in the same time whether and where they differ. */
export const makeKeyCheck = (pepper: string | undefined) => {
  const processSecret = randomBytes(32)
  // Stands in where there is nothing to compare with, so that an unknown company costs what a known one does.
  const nobodysKey = randomBytes(32).toString("hex")

  const expectedDigest = (expected: CredentialKey | undefined): Buffer => {
    if (expected?._tag !== "Digest") {
      return hmac(processSecret, expected === undefined ? nobodysKey : Redacted.value(expected.key))
    }
    const digest = Buffer.from(expected.hmac, "hex")
    return digest.length === 32 ? digest : hmac(processSecret, nobodysKey)
  }

  return (presented: string, expected: CredentialKey | undefined): boolean => {
    const isDigest = expected?._tag === "Digest" && pepper !== undefined
    const actual = hmac(isDigest ? pepper : processSecret, presented)
    return timingSafeEqual(actual, expectedDigest(expected))
  }
}

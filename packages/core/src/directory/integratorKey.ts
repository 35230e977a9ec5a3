import * as Base64Url from "effect/encoding/Base64Url"
import { crc16, formatCrc16 } from "../brcode/Crc16.ts"
import { type Parsed, refuse } from "./InvalidRegistration.ts"
import * as Result from "effect/Result"

// Every JavaScript runtime that this library runs in has it; the project's types name no platform.
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }

/**
 * An integrator key that nobody can guess and a secret scanner finds: `pixk_`, 32 random bytes in Base64url, and the CRC-16
 * of all that in four hexadecimal digits. `pixk_[A-Za-z0-9_-]{43}[0-9A-F]{4}` matches it.
 */
export const newIntegratorKey = (): string => {
  const key = `pixk_${Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))}`
  return key + formatCrc16(crc16(key))
}

/** Keys of existing integrators are about as short. */
const leastCharacters = 12

/** A key may be left out; one that is given has 12 characters or more. */
export const checkIntegratorKey = (cnpj: string, integratorKey: string | undefined): Parsed<void> =>
  integratorKey !== undefined && !(typeof integratorKey === "string" && integratorKey.length >= leastCharacters)
    ? refuse(cnpj, "integratorKey", `must have at least ${leastCharacters} characters`)
    : Result.void

import * as Base64Url from "effect/encoding/Base64Url"

// Every JavaScript runtime that this library runs in has it; the project's types name no platform.
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }

/** An integrator key that nobody can guess: 32 random bytes in Base64url. */
export const newIntegratorKey = (): string => Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))

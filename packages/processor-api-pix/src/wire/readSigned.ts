import * as Option from "effect/Option"
import { parseJson } from "./Loose.ts"

/** A JWS in its compact form (RFC 7515 §3.1). */
const compactForm = /^\s*[\w-]+\.([\w-]+)\.[\w-]*\s*$/

/**
 * The JSON within a signed answer (`application/jose`), as C6 writes recurrences. Its signature isn't checked: the connection has
 * shown whose answer it is, as of those that are not signed.
 */
export const readSigned = (text: string): Option.Option<unknown> => {
  const [, payload] = compactForm.exec(text) ?? []
  return payload === undefined ? Option.none() : parseJson(Buffer.from(payload, "base64url").toString())
}

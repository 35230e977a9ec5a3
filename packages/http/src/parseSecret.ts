import { parseAuthorization } from "./authorization.ts"
import { percentDecode } from "./percentDecode.ts"
import { readBase64 } from "./readBase64.ts"

/** CNPJ and integrator key of a token request (decision 1). */
export interface Secret {
  /** Stripped of its mask and upper-cased; its check digits are not checked here. */
  readonly cnpj: string
  readonly key: string
}

const maxSecretLength = 512

/** CNPJ and key as they were written; undefined if one of them is empty. */
export const toSecret = (cnpj: string, key: string): Secret | undefined =>
  cnpj === "" || key === "" ? undefined : { cnpj: cnpj.replace(/[.\-/]/g, "").toUpperCase(), key }

/** CNPJ and key of a Base64, the first of these characters between them; undefined for any other text. */
const parsePair = (base64: string, divider: string): Secret | undefined => {
  const pair = base64.length > maxSecretLength ? undefined : readBase64(base64)
  const at = pair?.indexOf(divider) ?? -1
  return pair === undefined || at < 0 ? undefined : toSecret(pair.slice(0, at), pair.slice(at + 1))
}

/** The secret from the token route's path, percent-encoded or raw (decisions 1 and 2); undefined for any other text. */
export const parseSecret = (path: string): Secret | undefined => {
  const text = percentDecode(path)
  return text === undefined ? undefined : parsePair(text, "|")
}

/**
 * The secret from an `Authorization: Basic` header: CNPJ, colon and key (RFC 7617); undefined for one that can't be read.
 * Null is a header of another scheme, or none.
 */
export const parseBasic = (header: string | undefined): Secret | undefined | null => {
  const given = parseAuthorization(header)
  return given?.scheme === "basic" ? parsePair(given.credentials, ":") : null
}

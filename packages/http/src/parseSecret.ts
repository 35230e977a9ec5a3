import { Buffer, isUtf8 } from "node:buffer"
import { percentDecode } from "./percentDecode.ts"

/** CNPJ and integrator key of a token request (decision 1). */
export interface Secret {
  /** Stripped of its mask and upper-cased; its check digits are not checked here. */
  readonly cnpj: string
  readonly key: string
}

const longestSecretLength = 512
const noDigit = /[^A-Za-z0-9+/]/

/**
 * The secret from the token route's path: Base64 in either alphabet, padded or not, percent-encoded or raw, read
 * strictly (decisions 1 and 2). Undefined for any other text.
 */
export const parseSecret = (path: string): Secret | undefined => {
  const text = percentDecode(path)
  if (text === undefined || text.length > longestSecretLength) return undefined
  const standard = text.replaceAll("-", "+").replaceAll("_", "/")
  const digits = standard.replace(/=?=$/, "")
  if (noDigit.test(digits) || digits.length % 4 === 1) return undefined
  if (digits.length !== standard.length && standard.length % 4 !== 0) return undefined
  const bytes = Buffer.from(standard, "base64")
  if (!isUtf8(bytes)) return undefined
  const secret = bytes.toString()
  const bar = secret.indexOf("|")
  if (bar < 1) return undefined
  const cnpj = secret
    .slice(0, bar)
    .replace(/[.\-/]/g, "")
    .toUpperCase()
  const key = secret.slice(bar + 1)
  return key === "" ? undefined : { cnpj, key }
}

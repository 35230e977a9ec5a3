import { percentDecode } from "@pixcharge/core/internal"
import { Buffer, isUtf8 } from "node:buffer"

/** A longer token is refused unread (docs/interface.md, Limits of a request). */
const maxToken = 2_048

/** The parts of an `Authorization` header (RFC 9110, 11.6.2). */
interface Authorization {
  /** The scheme in lower case. */
  readonly scheme: string
  /** The word after the scheme; empty if it is missing, too long for a token, or followed by another word. */
  readonly credentials: string
}

const oneWord = /^ +([^ ]+) *$/

const parseAuthorization = (header: string | undefined): Authorization | undefined => {
  const end = header?.indexOf(" ") ?? -1
  if (header === undefined || end < 0) return undefined
  const rest = header.length > maxToken + "bearer ".length ? "" : header.slice(end)
  return { scheme: header.slice(0, end).toLowerCase(), credentials: oneWord.exec(rest)?.[1] ?? "" }
}

const tokenCharacters = /^[\w.-]+$/

/** The token of an `Authorization: Bearer <token>` header; undefined with characters that tokens can't have. */
export const bearerToken = (header: string | undefined): string | undefined => {
  const given = parseAuthorization(header)
  return given?.scheme === "bearer" && tokenCharacters.test(given.credentials) ? given.credentials : undefined
}

/** CNPJ and integrator key of a token request (decision 1). */
export interface Secret {
  /** The CNPJ without punctuation, in upper case, with unverified check digits. */
  readonly cnpj: string
  readonly key: string
}

const maxSecretLength = 512

/** Removes the CNPJ's punctuation; undefined if CNPJ or key is empty. */
export const toSecret = (cnpj: string, key: string): Secret | undefined =>
  cnpj === "" || key === "" ? undefined : { cnpj: cnpj.replace(/[.\-/]/g, "").toUpperCase(), key }

const parsePair = (base64: string, divider: string): Secret | undefined => {
  const pair = base64.length > maxSecretLength ? undefined : readBase64(base64)
  const index = pair?.indexOf(divider) ?? -1
  return pair === undefined || index < 0 ? undefined : toSecret(pair.slice(0, index), pair.slice(index + 1))
}

/** Reads the secret from the token route's path, percent-encoded or raw (decisions 1 and 2); undefined if it is unreadable. */
export const parseSecret = (path: string): Secret | undefined => {
  const text = percentDecode(path)
  return text === undefined ? undefined : parsePair(text, "|")
}

/**
 * Reads CNPJ and key, separated by a colon, from an `Authorization: Basic` header (RFC 7617). Undefined if unreadable; null for
 * another scheme or no header.
 */
export const parseBasic = (header: string | undefined): Secret | undefined | null => {
  const given = parseAuthorization(header)
  return given?.scheme === "basic" ? parsePair(given.credentials, ":") : null
}

const notBase64 = /[^A-Za-z0-9+/]/

/** Decodes Base64 in either alphabet, padded or not, as strict UTF-8 (decision 2); undefined for any other text. */
const readBase64 = (text: string): string | undefined => {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/")
  const digits = standard.replace(/=?=$/, "")
  if (notBase64.test(digits) || digits.length % 4 === 1) return undefined
  if (digits.length !== standard.length && standard.length % 4 !== 0) return undefined
  const bytes = Buffer.from(standard, "base64")
  return isUtf8(bytes) ? bytes.toString() : undefined
}

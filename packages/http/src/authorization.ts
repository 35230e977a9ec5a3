/** Longer ones are refused unread (docs/interface.md, Limits of a request). */
const maxToken = 2_048

/** What an `Authorization` header brings (RFC 9110, 11.6.2). */
interface Authorization {
  /** Its scheme's name, in lower case. */
  readonly scheme: string
  /** One word; empty if there are none or several, or if the header is too long for any token. */
  readonly credentials: string
}

/** One word between blanks. */
const oneWord = /^ +([^ ]+) *$/

/** Undefined without a header, or if nothing follows its scheme. */
export const parseAuthorization = (header: string | undefined): Authorization | undefined => {
  const end = header?.indexOf(" ") ?? -1
  if (header === undefined || end < 0) return undefined
  const rest = header.length > maxToken + "bearer ".length ? "" : header.slice(end)
  return { scheme: header.slice(0, end).toLowerCase(), credentials: oneWord.exec(rest)?.[1] ?? "" }
}

const tokenCharacters = /^[\w.-]+$/

/** The token of an `Authorization: Bearer <token>` header; undefined if it has characters that no token has. */
export const bearerToken = (header: string | undefined): string | undefined => {
  const given = parseAuthorization(header)
  return given?.scheme === "bearer" && tokenCharacters.test(given.credentials) ? given.credentials : undefined
}

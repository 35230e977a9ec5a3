import { Buffer } from "node:buffer"

const hidden = "•••"

/** A token: three parts in Base64url, of which the first has a JSON object. */
const jsonWebToken = /(?<![\w-])(?=[\w-]*eyJ[\w-]{8})[\w-]+\.[\w-]+\.[\w-]+/g
/** A key by its name, in JSON, a form or a malformed body: quotes may be of another kind, unclosed or missing. */
const secretFields =
  /((?<!\w)["']?(?:chave|secret|secrets|integratorKey)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\[[^\]]*\]?|[^\s,;&}]+)/gi

/** A text as long as a payer's link: 48 characters of terms and a signature. */
const longWord = /[\w-]{80,}/g
const cnpjStart = /^[\dA-Z]{12}$/

/** The terms begin with the CNPJ of the company, in Base64url. */
const withoutCapability = (word: string): string =>
  cnpjStart.test(Buffer.from(word.slice(0, 16), "base64url").toString("latin1")) ? hidden : word

/** Masks keys, tokens and payers' links in a text. */
export const maskSecrets = (text: string): string =>
  text.replace(jsonWebToken, hidden).replace(secretFields, `$1"${hidden}"`).replace(longWord, withoutCapability)

/** A path as a lenient reader takes it: secrets are masked in unusual spellings too. */
const leniently = (path: string): string => {
  try {
    return decodeURIComponent(path).replaceAll(/[/\\]+/g, "/")
  } catch {
    return path
  }
}

/** In a token's path all that follows is secret; in a checkout's path one segment is. */
const tokenPath = /^.*\/api\/token\/.+/is
const linkPath = /^.*\/pagar\/(?!assets\/)[^/]+/is

/** Masks the secrets of a path and its query. */
export const maskUrl = (url: string): string => {
  const [path = "", ...query] = url.split("?")
  const masked = leniently(path).replace(tokenPath, `/api/token/${hidden}`).replace(linkPath, `/pagar/${hidden}`)
  return maskSecrets([masked === leniently(path) ? path : masked, ...query].join("?"))
}

/** Masks the secrets of a header's value. */
export const maskHeader = (name: string, value: string): string => {
  if (name === "authorization") return `${value.split(" ", 1)[0]} ${hidden}`
  return name === "cookie" || name === "set-cookie" ? hidden : maskSecrets(value)
}

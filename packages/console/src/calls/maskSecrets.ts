import { Buffer } from "node:buffer"

const hidden = "•••"

/** A token, and what it is written together with: three parts in Base64url, of which the first has a JSON object. */
const jsonWebToken = /(?<![\w-])(?=[\w-]*eyJ[\w-]{8})[\w-]+\.[\w-]+\.[\w-]+/g
/** A key by its name, in JSON as in what was meant to be JSON or a form: quotes may be of another kind, open or missing. */
const secretFields =
  /((?<!\w)["']?(?:chave|secret|secrets|integratorKey)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\[[^\]]*\]?|[^\s,;&}]+)/gi

/** A text long enough to be what opens a payer's page: 48 characters of terms and a signature. */
const longWord = /[\w-]{80,}/g
const cnpjStart = /^[\dA-Z]{12}$/

/** The terms begin with the CNPJ of the company, in Base64url. */
const withoutCapability = (word: string): string =>
  cnpjStart.test(Buffer.from(word.slice(0, 16), "base64url").toString("latin1")) ? hidden : word

/** A text without the keys, tokens and links that open something. */
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

/** In the path of a token all that follows is its secret, in that of a checkout a segment opens its charge. */
const tokenPath = /^.*\/api\/token\/.+/is
const linkPath = /^.*\/pagar\/(?!assets\/)[^/]+/is

/** Path and query without what opens something. */
export const maskUrl = (url: string): string => {
  const [path = "", ...query] = url.split("?")
  const masked = leniently(path).replace(tokenPath, `/api/token/${hidden}`).replace(linkPath, `/pagar/${hidden}`)
  return maskSecrets([masked === leniently(path) ? path : masked, ...query].join("?"))
}

/** A header's value as it may be shown. */
export const maskHeader = (name: string, value: string): string => {
  if (name === "authorization") return `${value.split(" ", 1)[0]} ${hidden}`
  return name === "cookie" || name === "set-cookie" ? hidden : maskSecrets(value)
}

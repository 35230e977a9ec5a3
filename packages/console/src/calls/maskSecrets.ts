const hidden = "•••"

/** A token, wherever it stands: three parts in Base64url, of which the first is a JSON object. */
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g
const secretFields = /("(?:chave|secret|secrets|integratorKey)"\s*:\s*)(?:"[^"]*"|\[[^\]]*\])/gi
/** In the path of a token its secret, in that of a checkout what opens its charge. */
const secretPaths = /(\/(?:api\/token|pagar)\/)[^/?\s"']+/gi

/** A text without the keys, tokens and links that open something. */
export const maskSecrets = (text: string): string =>
  text.replace(jsonWebToken, hidden).replace(secretFields, `$1"${hidden}"`).replace(secretPaths, `$1${hidden}`)

/** A header's value as it may be shown. */
export const maskHeader = (name: string, value: string): string => {
  if (name === "authorization") return `${value.split(" ", 1)[0]} ${hidden}`
  return name === "cookie" || name === "set-cookie" ? hidden : maskSecrets(value)
}

import * as Option from "effect/Option"

const parseStrict = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** What may follow a backslash in a text of JSON. */
const escaped = /["\\/bfnrt]|u[0-9A-Fa-f]{4}/y
const [blank, quote, backslash] = [0x20, 0x22, 0x5c]

/** What strict JSON allows in no text, raw control characters and backslashes that escape nothing, as blanks. */
const mendTexts = (json: string): string => {
  const units = new Uint16Array(json.length)
  let isWithin = false
  for (let at = 0; at < json.length; at++) {
    let unit = json.charCodeAt(at)
    if (unit === quote) isWithin = !isWithin
    if (isWithin && unit < blank) unit = blank
    if (isWithin && unit === backslash) {
      escaped.lastIndex = at + 1
      if (!escaped.test(json)) unit = blank
      else {
        units[at] = unit
        unit = json.charCodeAt(++at)
      }
    }
    units[at] = unit
  }
  return Buffer.from(units.buffer).toString("utf16le")
}

/**
 * The value of a JSON text; none for any other text. Banks pass on what payers write, and some as it is: where strict JSON
 * fails, what it allows in no text is read as a blank.
 */
export const parseJson = (text: string): Option.Option<unknown> =>
  Option.orElse(parseStrict(text), () => parseStrict(mendTexts(text)))

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

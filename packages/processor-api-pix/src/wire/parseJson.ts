import * as Option from "effect/Option"

const parseStrict = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const escaped = /["\\/bfnrt]|u[0-9A-Fa-f]{4}/y
const [blank, quote, backslash] = [0x20, 0x22, 0x5c]

const mendTexts = (json: string): string => {
  const units = new Uint16Array(json.length)
  let isWithin = false
  for (let index = 0; index < json.length; index++) {
    let unit = json.charCodeAt(index)
    if (unit === quote) isWithin = !isWithin
    if (isWithin && unit < blank) unit = blank
    if (isWithin && unit === backslash) {
      escaped.lastIndex = index + 1
      if (!escaped.test(json)) unit = blank
      else {
        units[index] = unit
        unit = json.charCodeAt(++index)
      }
    }
    units[index] = unit
  }
  return Buffer.from(units.buffer).toString("utf16le")
}

/** Accepts control characters and wrong escapes in strings: some banks pass payers' texts on unescaped. */
export const parseJson = (text: string): Option.Option<unknown> =>
  Option.orElse(parseStrict(text), () => parseStrict(mendTexts(text)))

/** A JWS in its compact form (RFC 7515 §3.1). */
const compactForm = /^\s*[\w-]+\.([\w-]+)\.[\w-]*\s*$/

/**
 * Reads the JSON of a signed answer (`application/jose`): C6 sends recurrences like this. Doesn't check the signature,
 * because the connection already authenticates the bank.
 */
export const readSigned = (text: string): Option.Option<unknown> => {
  const [, payload] = compactForm.exec(text) ?? []
  return payload === undefined ? Option.none() : parseJson(Buffer.from(payload, "base64url").toString())
}

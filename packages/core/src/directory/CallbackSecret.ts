import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"

const form = /^whsec_([A-Za-z0-9+/_-]+)(={0,2})$/

/** Of the key, as Standard Webhooks has it. */
const leastBytes = 24
const maxBytes = 64

/**
 * The key with which a callback's secret signs: `whsec_` and 24 to 64 bytes in Base64 of either alphabet, padded or not
 * (Standard Webhooks); undefined for any other text.
 */
export const parseCallbackSecret = (text: unknown): Uint8Array | undefined => {
  const [, digits = "", padding = ""] = (typeof text === "string" && form.exec(text)) || []
  const standard = digits.replaceAll("-", "+").replaceAll("_", "/")
  const padded = standard.padEnd(Math.ceil(digits.length / 4) * 4, "=")
  if (padding !== "" && standard + padding !== padded) return undefined
  const key = Result.getOrUndefined(Base64.decode(padded))
  return key !== undefined && key.length >= leastBytes && key.length <= maxBytes ? key : undefined
}

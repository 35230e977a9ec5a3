import type { Exchange, ExchangeBody } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { parseJson } from "../wire/Loose.ts"
import { maxClaims } from "../wire/Webhook.ts"

/** An entry with every field of the standard's `Pix` at its longest, two returns among them, stays below it. */
const maxEntryBytes = 1_024
const maxBodyBytes = maxClaims * maxEntryBytes

const unreadable: ExchangeBody = { _tag: "Unreadable" }

/** The text of a body. Bytes that aren't UTF-8, such as a payer's text in ISO 8859-1, are replaced. */
const readText = (body: ExchangeBody): string | undefined => {
  if (body._tag === "Text") return body.text
  return body._tag === "Unreadable" && body.bytes !== undefined ? new TextDecoder().decode(body.bytes) : undefined
}

/** The JSON of a notice, also where the host's own parser read it before; the failure is the HTTP status to answer. */
export const readBody = (exchange: Exchange): Effect.Effect<Result.Result<unknown, number>> =>
  Effect.promise(() => exchange.body(maxBodyBytes).catch(() => unreadable)).pipe(
    Effect.map((body) => {
      if (body._tag === "TooLarge") return Result.fail(413)
      if (body._tag === "Unsupported") return Result.fail(415)
      if (body._tag === "Parsed") return Result.succeed(body.value ?? {})
      const text = readText(body)
      if (text === undefined) return Result.fail(400)
      // Some banks try a webhook out with an empty body.
      const json = text.trim() === "" ? Option.some({}) : parseJson(text)
      return Option.isNone(json) ? Result.fail(400) : Result.succeed(json.value)
    }),
  )

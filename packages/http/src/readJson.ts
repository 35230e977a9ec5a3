import type { Exchange } from "@pixcharge/core"
import * as Result from "effect/Result"
import { exchangeFailures, type Failure } from "./wire/messages.ts"

/** A charge request is far smaller; a longer body is refused unread (decision 8). */
const longestBodyBytes = 16 * 1_024

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const bodyFailures = {
  TooLarge: exchangeFailures.tooLarge,
  Unreadable: exchangeFailures.invalidJson,
  Unsupported: exchangeFailures.unsupportedMediaType,
}

/** What a parser of the host's refused; undefined if it refused nothing. */
export const refusal = ({ refusedBody }: Exchange): Failure | undefined => refusedBody && bodyFailures[refusedBody._tag]

/** The JSON value of a body, or what is wrong with it. A caller that names no media type means JSON. */
export const readJson = async (exchange: Exchange): Promise<Result.Result<unknown, Failure>> => {
  const type = exchange.header("content-type") ?? ""
  if (type !== "" && !jsonMediaType.test(type.trim())) return Result.fail(exchangeFailures.unsupportedMediaType)
  try {
    const body = await exchange.body(longestBodyBytes)
    if (body._tag === "Parsed") return Result.succeed(body.value)
    return body._tag === "Text" ? Result.succeed(JSON.parse(body.text)) : Result.fail(bodyFailures[body._tag])
  } catch {
    return Result.fail(exchangeFailures.invalidJson)
  }
}

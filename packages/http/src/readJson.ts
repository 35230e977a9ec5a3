import type { Exchange, ExchangeBody } from "@pixcharge/core"
import * as Result from "effect/Result"
import { exchangeFailures, type Failure } from "./wire/messages.ts"

/** A charge request is far smaller; a longer body is refused unread (decision 8). */
const maxBodyBytes = 16 * 1_024

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const bodyFailures = {
  TooLarge: exchangeFailures.tooLarge,
  Unreadable: exchangeFailures.invalidJson,
  Unsupported: exchangeFailures.unsupportedMediaType,
}

/** What a parser of the host's refused; undefined if it refused nothing. */
export const findRefusal = ({ refusedBody }: Exchange): Failure | undefined =>
  refusedBody && bodyFailures[refusedBody._tag]

const parseBody = (body: ExchangeBody): Result.Result<unknown, Failure> => {
  if (body._tag === "Parsed") return Result.succeed(body.value)
  if (body._tag !== "Text") return Result.fail(bodyFailures[body._tag])
  try {
    return Result.succeed(JSON.parse(body.text))
  } catch {
    return Result.fail(exchangeFailures.invalidJson)
  }
}

/** The JSON value of a body, or what is wrong with it. A caller that names no media type means JSON. */
export const readJson = (exchange: Exchange): Promise<Result.Result<unknown, Failure>> => {
  const type = exchange.header("content-type") ?? ""
  if (type !== "" && !jsonMediaType.test(type.trim())) {
    return Promise.resolve(Result.fail(exchangeFailures.unsupportedMediaType))
  }
  return exchange.body(maxBodyBytes).then(parseBody, () => Result.fail(exchangeFailures.invalidJson))
}

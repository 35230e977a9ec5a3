import type { Exchange, ExchangeBody } from "@pixcharge/core"
import * as Result from "effect/Result"
import { exchangeFailures, type Failure } from "./wire/messages.ts"

/** Charge requests are far smaller. A longer body is refused without being read (decision 8). */
const maxBodyBytes = 16 * 1_024

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const bodyFailures = {
  TooLarge: exchangeFailures.tooLarge,
  Unreadable: exchangeFailures.invalidJson,
  Unsupported: exchangeFailures.unsupportedMediaType,
}

/** The failure for a body that the host's parser refused. */
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

/** Parses the body as JSON, or returns the failure. An absent media type means JSON. */
export const readJson = (exchange: Exchange): Promise<Result.Result<unknown, Failure>> => {
  const type = exchange.header("content-type") ?? ""
  if (type !== "" && !jsonMediaType.test(type.trim())) {
    return Promise.resolve(Result.fail(exchangeFailures.unsupportedMediaType))
  }
  return exchange.body(maxBodyBytes).then(parseBody, () => Result.fail(exchangeFailures.invalidJson))
}

import type { Exchange } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { exchangeFailures, type Failure } from "./wire/messages.ts"

/** A charge request is far below this; more is refused unread (decision 8). */
export const longestBodyBytes = 16 * 1_024

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** JSON if the caller names a type at all: a client that names none is believed. */
const isJson = (exchange: Exchange): boolean => {
  const type = exchange.header("content-type")
  return type === undefined || type === "" || jsonMediaType.test(type.trim())
}

const parseJson = (text: string): Result.Result<unknown, Failure> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(exchangeFailures.invalidJson)
  }
}

/** The JSON value of a body, whoever parsed it, or what is wrong with it. */
export const readJson = (exchange: Exchange): Effect.Effect<unknown, Failure> => {
  if (!isJson(exchange)) return Effect.fail(exchangeFailures.unsupportedMediaType)
  return Effect.flatMap(
    Effect.tryPromise({ try: () => exchange.body(longestBodyBytes), catch: () => exchangeFailures.invalidJson }),
    (body): Effect.Effect<unknown, Failure> => {
      switch (body._tag) {
        case "Parsed":
          return Effect.succeed(body.value)
        case "Text":
          return Effect.fromResult(parseJson(body.text))
        case "TooLarge":
          return Effect.fail(exchangeFailures.tooLarge)
        case "Unreadable":
          return Effect.fail(exchangeFailures.invalidJson)
        case "Unsupported":
          return Effect.fail(exchangeFailures.unsupportedMediaType)
      }
    },
  )
}

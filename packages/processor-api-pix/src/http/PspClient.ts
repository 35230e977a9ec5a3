import { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Connection } from "../ApiPixConnection.ts"
import { parseJson } from "../wire/Loose.ts"
import { PspRefusal, refusalOf } from "../wire/Problem.ts"
import type { Reader } from "../wire/Reader.ts"
import { makeAccessToken } from "./AccessToken.ts"
import { longestWaitMs, makeGate } from "./Gate.ts"
import { retryAfterMsOf } from "./retryAfter.ts"
import { Silence } from "./Silence.ts"
import { fetchToken } from "./tokenRequest.ts"
import type { HttpAnswer, HttpRequest } from "./Transport.ts"

/** A call of the bank's API. All of them may be repeated: they read, or they say what is to be under an id of ours. */
interface PspCall<A> {
  /** What it is for, in errors and spans. */
  readonly operation: string
  readonly method: "GET" | "PUT" | "PATCH"
  /** Below the API's root. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly read: Reader<A>
}

/** One company's way to its bank. */
export interface PspClient {
  readonly profile: Connection["profile"]
  readonly call: <A>(call: PspCall<A>) => Effect.Effect<A, PspRefusal | ProcessorUnavailable>
}

const mostRepeats = 2
const repeats = Schedule.exponential("100 millis").pipe(Schedule.jittered)
/** A whole call with its repetitions, in lives of a single one: whoever waits at our own door has an answer by then. */
const deadlineFactor = 2.5

/** A bank that answers one of these was not able to, or busy; everything else is its answer. */
const isIll = (status: number): boolean => status >= 500 || status === 408 || status === 425

/** An empty body is no value, as where a bank only says 200. */
const jsonOf = (text: string): Option.Option<unknown> =>
  text.trim() === "" ? Option.some(undefined) : Option.liftThrowable(parseJson)(text)

const silent = (cause: unknown, mayRepeat = true) => new Silence({ cause, mayRepeat })

const urlOf = ({ apiUrl, query: always }: Connection, { path, query = {} }: PspCall<unknown>): string => {
  const all = [new URLSearchParams({ ...query }).toString(), always].filter((part) => part !== "").join("&")
  return `${apiUrl}${path}${all === "" ? "" : `?${all}`}`
}

const requestOf = (connection: Connection, call: PspCall<unknown>, token: Redacted.Redacted<string>): HttpRequest => ({
  method: call.method,
  url: urlOf(connection, call),
  headers: {
    ...connection.headers,
    accept: "application/json, application/problem+json",
    authorization: `Bearer ${Redacted.value(token)}`,
    ...(call.body !== undefined && { "content-type": "application/json" }),
  },
  ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
})

/** What an answer says. */
const understand = <A>({ read }: PspCall<A>, { status, text }: HttpAnswer): Effect.Effect<A, Silence | PspRefusal> => {
  const json = jsonOf(text)
  if (status >= 200 && status < 300) {
    // What can't be read now may be readable when asked for again: a broken answer says nothing of what was done.
    if (Option.isNone(json)) return silent("the answer is no JSON")
    return Effect.mapError(Effect.fromResult(read(json.value)), (cause) => silent(cause, false))
  }
  // A page of a proxy or a redirect is not the bank's word.
  if (Option.isNone(json) || json.value === undefined || status < 400) {
    return silent(`HTTP ${status} without JSON`, false)
  }
  return Effect.fail(refusalOf(status, json.value))
}

/** Repeats a call where that may help; a refusal says whether an attempt before it got no answer. */
const insist = <A>(attempt: Effect.Effect<A, Silence | PspRefusal>): Effect.Effect<A, Silence | PspRefusal> =>
  Effect.suspend(() => {
    let isUnanswered = false
    return attempt.pipe(
      Effect.tapErrorTag("Silence", ({ isUnsent }) => Effect.sync(() => void (isUnanswered ||= isUnsent !== true))),
      Effect.retry({
        schedule: repeats,
        times: mostRepeats,
        while: (error) => error._tag === "Silence" && error.mayRepeat,
      }),
      Effect.catchTag("PspRefusal", (refusal) =>
        Effect.fail(isUnanswered ? new PspRefusal({ ...refusal, isAfterSilence: true }) : refusal),
      ),
    )
  })

/** The way to the bank of one connection: with a token, repeated with jitter where that may help, behind a gate. */
export const makePspClient = (connection: Connection, scope: Scope.Scope): PspClient => {
  const { transport, timeoutMs, profile } = connection
  const gate = makeGate()

  /** One request and its answer, or the silence after it. */
  const send = (request: HttpRequest): Effect.Effect<HttpAnswer, Silence> =>
    Effect.tryPromise({ try: (signal) => transport.send(request, signal), catch: (cause) => silent(cause) }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(silent(`no answer within ${timeoutMs} ms`)),
      }),
      Effect.tapError(() => gate.failed),
      Effect.flatMap(judge),
    )

  /** What an answer says of the bank itself. */
  const judge = Effect.fnUntraced(function* (answer: HttpAnswer): Effect.fn.Return<HttpAnswer, Silence> {
    const { status, retryAfter } = answer
    const retryAfterMs = yield* retryAfterMsOf(retryAfter)
    if (status === 429) {
      const pauseMs = retryAfterMs ?? 1_000
      yield* gate.pause(pauseMs)
      return yield* new Silence({ cause: "HTTP 429", mayRepeat: true, retryAfterMs: pauseMs, isUnsent: true })
    }
    if (isIll(status)) {
      yield* gate.failed
      return yield* new Silence({
        cause: `HTTP ${status}`,
        mayRepeat: (retryAfterMs ?? 0) <= longestWaitMs,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      })
    }
    yield* gate.answered
    return answer
  })

  const passGate = Effect.catchTag(gate.pass, "GateClosed", ({ reason, retryAfterMs }) =>
    Effect.fail(new Silence({ cause: reason, mayRepeat: false, retryAfterMs, isUnsent: true })),
  )

  const accessToken = makeAccessToken(fetchToken(connection, send), scope)
  const getToken = Effect.mapError(
    accessToken.get,
    // An error's cause is not among what can be spread.
    (silence) => new Silence({ ...silence, cause: silence.cause, isUnsent: true }),
  )

  const attempt = Effect.fnUntraced(function* (call: PspCall<unknown>): Effect.fn.Return<HttpAnswer, Silence> {
    yield* passGate
    const token = yield* getToken
    const answer = yield* send(requestOf(connection, call, token))
    if (answer.status !== 401) return answer
    // It may have been revoked before its time; a fresh one decides.
    yield* accessToken.forget(token)
    const again = yield* send(requestOf(connection, call, yield* getToken))
    return again.status === 401 ? yield* silent("the bank refuses a fresh token (HTTP 401)", false) : again
  })

  const call = <A>(given: PspCall<A>): Effect.Effect<A, PspRefusal | ProcessorUnavailable> => {
    const { operation } = given
    return insist(Effect.flatMap(attempt(given), (answer) => understand(given, answer))).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs * deadlineFactor,
        orElse: () => Effect.fail(silent("no answer within the deadline")),
      }),
      Effect.catchTag("Silence", ({ cause, retryAfterMs }) =>
        Effect.fail(
          new ProcessorUnavailable({ operation, cause, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
        ),
      ),
      Effect.withSpan(`ApiPix.${operation}`),
    )
  }

  return { profile, call }
}

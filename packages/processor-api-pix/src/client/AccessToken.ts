import { Cache } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type HttpAnswer, type HttpRequest, PspUnanswered } from "../connection/Transport.ts"
import type { Connection } from "../connection/openConnection.ts"
import { Count, lenient, looseStruct, makeReader, Text } from "../wire/Reader.ts"
import { parseJson } from "../wire/parseJson.ts"
import { pspValues, withQuery } from "./PspCall.ts"

/** Before its end, or a tenth of its lifetime if that is shorter. */
const marginMs = 60_000
const presumedLifetimeMs = 300_000

export interface AccessToken<E> {
  readonly get: Effect.Effect<BankToken, E>
  /** Forgets this refused token, but keeps a newer one. */
  readonly forget: (token: BankToken) => Effect.Effect<void>
}

const usableMs = ({ lifetimeMs = presumedLifetimeMs }: BankToken): number =>
  lifetimeMs - Math.min(marginMs, lifetimeMs / 10)

export const makeAccessToken = <E>(fetched: Effect.Effect<BankToken, E>, scope: Scope.Scope): AccessToken<E> => {
  const tokens = new Cache({ load: () => fetched, maxAgeMs: usableMs, maxCount: 2, scope })
  return {
    get: tokens.get("token"),
    forget: (token) => Effect.sync(() => tokens.forget("token", token)),
  }
}

/** Leaves id and secret unencoded, as banks document it. RFC 6749 demands form encoding, but few banks decode it. */
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

const tokenRequest = (connection: Connection, tokenUrl: string): HttpRequest => {
  const { profile, clientId, credentials, headers, query } = connection
  const secret = Redacted.value(credentials.clientSecret)
  const { clientAuthentication, scope, tokenBody, tokenQuery, tokenHeaders } = profile
  const fields = {
    grant_type: "client_credentials",
    ...(scope !== "" && { scope }),
    ...(clientAuthentication !== "basic" && { client_id: clientId }),
    ...(clientAuthentication === "body" && { client_secret: secret }),
  }
  const bodyFields = Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(tokenQuery, name)))
  const isForm = tokenBody === "form"
  return {
    method: "POST",
    url: withQuery(tokenUrl, { ...pspValues(tokenQuery, connection), ...query }),
    headers: {
      ...pspValues(tokenHeaders, connection),
      ...headers,
      accept: "application/json",
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      ...(clientAuthentication === "basic" && { authorization: basic(clientId, secret) }),
    },
    body: isForm ? new URLSearchParams(bodyFields).toString() : JSON.stringify(bodyFields),
  }
}

const failNoToken = ({ status, text }: HttpAnswer): PspUnanswered => {
  const code = tokenRefusalCode(text)
  const cause = `HTTP ${status}${code === undefined ? "" : ` ${code}`}: the bank gives no token`
  return new PspUnanswered({ cause, mayRetry: false })
}

type Send = (request: HttpRequest) => Effect.Effect<HttpAnswer, PspUnanswered>

const askAt = (connection: Connection, send: Send, urls: ReadonlyArray<string>): ReturnType<Send> => {
  const [url = "", ...others] = urls
  return Effect.flatMap(
    Effect.suspend(() => send(tokenRequest(connection, url))),
    (answer) => {
      if (answer.status === 404 && others.length > 0) return askAt(connection, send, others)
      if (answer.status !== 404) connection.tokenUrls.keep(url)
      return Effect.succeed(answer)
    },
  )
}

/** Gets a token with the client's credentials (RFC 6749 §4.4). Errors contain neither secret nor token. */
const askForToken = (connection: Connection, send: Send): Effect.Effect<BankToken, PspUnanswered> =>
  Effect.flatMap(
    Effect.suspend(() => askAt(connection, send, connection.tokenUrls.list())),
    (answer) => {
      const { status, text } = answer
      // OAuth demands status 200, but some banks return 201.
      if (status < 200 || status >= 300) return failNoToken(answer)
      return Effect.mapError(Effect.fromResult(readToken(Option.getOrUndefined(parseJson(text)))), (cause) =>
        tokenRefusalCode(text) === undefined ? new PspUnanswered({ cause, mayRetry: false }) : failNoToken(answer),
      )
    },
  )

export const fetchToken: typeof askForToken = (connection, send) => {
  const { profile, credentials } = connection
  if (profile.clientAuthentication === "headers") {
    return Effect.succeed({ token: Redacted.make(""), lifetimeMs: Infinity })
  }
  return profile.clientAuthentication === "fixedToken"
    ? Effect.succeed({ token: credentials.token, lifetimeMs: Infinity })
    : askForToken(connection, send)
}

export interface BankToken {
  readonly token: Redacted.Redacted<string>
  readonly lifetimeMs?: number
}

// Rejects a token with characters that no header can contain: `fetch` would quote it in its error.
const Bearer = Text.check(Schema.isPattern(/^[\x21-\x7e]+$/))

const TokenAnswer = looseStruct({ access_token: Bearer, expires_in: lenient(Count) })

export const readToken = makeReader(TokenAnswer, ({ access_token, expires_in }): BankToken => ({
  token: Redacted.make(access_token),
  ...(expires_in !== undefined && { lifetimeMs: expires_in * 1000 }),
}))

/** The error codes of RFC 6749 §5.2 and RFC 6750 §3.1. */
const refusalCode =
  /\b(?:invalid_(?:request|client|grant|scope|token)|unauthorized_client|unsupported_grant_type|insufficient_scope)\b/

const maxRead = 4_096

/** Finds the OAuth error code anywhere in a refusal. Only the code is logged, because the rest can contain secrets. */
export const tokenRefusalCode = (text: string): string | undefined => refusalCode.exec(text.slice(0, maxRead))?.[0]

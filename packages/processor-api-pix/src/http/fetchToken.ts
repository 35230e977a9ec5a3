import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Connection } from "../ApiPixConnection.ts"
import { parseJson } from "../wire/Loose.ts"
import { type BankToken, readToken, tokenRefusalCode } from "../wire/Token.ts"
import { PspUnanswered } from "./PspUnanswered.ts"
import { pspValues, withQuery } from "./pspValues.ts"
import type { HttpAnswer, HttpRequest } from "./Transport.ts"

/** Both halves as they are, as banks document it: RFC 6749 would have them form-encoded first, which few undo. */
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

/** Why there is no token: with the code of OAuth, if the answer has one, and no other word of the bank's. */
const failNoToken = ({ status, text }: HttpAnswer): PspUnanswered => {
  const code = tokenRefusalCode(text)
  const cause = `HTTP ${status}${code === undefined ? "" : ` ${code}`}: the bank gives no token`
  return new PspUnanswered({ cause, mayRetry: false })
}

type Send = (request: HttpRequest) => Effect.Effect<HttpAnswer, PspUnanswered>

/** The answer of the first of these URLs where there is something, or of the last. */
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

/** Asks for a token by client credentials (RFC 6749 §4.4). Neither secret nor token is in an error. */
const askForToken = (connection: Connection, send: Send): Effect.Effect<BankToken, PspUnanswered> =>
  Effect.flatMap(
    Effect.suspend(() => askAt(connection, send, connection.tokenUrls.list())),
    (answer) => {
      const { status, text } = answer
      // OAuth says 200; some banks say 201.
      if (status < 200 || status >= 300) return failNoToken(answer)
      return Effect.mapError(Effect.fromResult(readToken(Option.getOrUndefined(parseJson(text)))), (cause) =>
        tokenRefusalCode(text) === undefined ? new PspUnanswered({ cause, mayRetry: false }) : failNoToken(answer),
      )
    },
  )

/** The connection's own token where the bank has but one, none where headers prove each call, or one that is asked for. */
export const fetchToken: typeof askForToken = (connection, send) => {
  const { profile, credentials } = connection
  if (profile.clientAuthentication === "headers") {
    return Effect.succeed({ token: Redacted.make(""), lifetimeMs: Infinity })
  }
  return profile.clientAuthentication === "fixedToken"
    ? Effect.succeed({ token: credentials.token, lifetimeMs: Infinity })
    : askForToken(connection, send)
}

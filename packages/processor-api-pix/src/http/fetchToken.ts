import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Connection } from "../ApiPixConnection.ts"
import { parseJson } from "../wire/Loose.ts"
import { type BankToken, readToken, tokenRefusalCode } from "../wire/Token.ts"
import { PspUnanswered } from "./PspUnanswered.ts"
import type { HttpAnswer, HttpRequest } from "./Transport.ts"

/** Both halves as they are, as banks document it: RFC 6749 would have them form-encoded first, which few undo. */
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

const tokenRequest = ({ profile, tokenUrl, clientId, clientSecret, headers, query }: Connection): HttpRequest => {
  const secret = Redacted.value(clientSecret)
  const { clientAuthentication, scope, tokenBody } = profile
  const fields = {
    grant_type: "client_credentials",
    ...(scope !== "" && { scope }),
    ...(clientAuthentication !== "basic" && { client_id: clientId }),
    ...(clientAuthentication === "body" && { client_secret: secret }),
  }
  const isForm = tokenBody === "form"
  return {
    method: "POST",
    url: query === "" ? tokenUrl : `${tokenUrl}?${query}`,
    headers: {
      ...headers,
      accept: "application/json",
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      ...(clientAuthentication === "basic" && { authorization: basic(clientId, secret) }),
    },
    body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
  }
}

/** Why there is no token: with the code of OAuth, if the answer has one, and no other word of the bank's. */
const noToken = ({ status, text }: HttpAnswer): PspUnanswered => {
  const code = tokenRefusalCode(text)
  const cause = `HTTP ${status}${code === undefined ? "" : ` ${code}`}: the bank gives no token`
  return new PspUnanswered({ cause, mayRetry: false })
}

/** Asks for a token by client credentials (RFC 6749 §4.4). Neither secret nor token is in an error. */
export const fetchToken = (
  connection: Connection,
  send: (request: HttpRequest) => Effect.Effect<HttpAnswer, PspUnanswered>,
): Effect.Effect<BankToken, PspUnanswered> =>
  Effect.flatMap(
    Effect.suspend(() => send(tokenRequest(connection))),
    (answer) => {
      const { status, text } = answer
      // OAuth says 200; some banks say 201.
      if (status < 200 || status >= 300) return noToken(answer)
      return Effect.mapError(Effect.fromResult(readToken(Option.getOrUndefined(parseJson(text)))), (cause) =>
        tokenRefusalCode(text) === undefined ? new PspUnanswered({ cause, mayRetry: false }) : noToken(answer),
      )
    },
  )

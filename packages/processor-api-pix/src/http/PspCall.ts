import * as Redacted from "effect/Redacted"
import type { Connection } from "../ApiPixConnection.ts"
import type { ApiMethod, ApiPath } from "../wire/paths.ts"
import type { Reader } from "../wire/Reader.ts"
import type { BankToken } from "../wire/Token.ts"
import { pspValues, withQuery } from "./pspValues.ts"
import type { HttpRequest } from "./Transport.ts"

/** A call of the bank's API. It reads, or says what is to be under an id of ours, and so may be retried, unless it is `once`. */
export interface PspCall<A> {
  /** What it is for, in errors and spans. */
  readonly operation: string
  readonly method: ApiMethod
  readonly path: ApiPath
  /** Beside those that every call has. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly read: Reader<A>
  /** It asks for something that may not be there: some banks say so with nothing at all. */
  readonly mayBeMissing?: true
  /** It has no id of ours: an attempt that the bank may have carried out is not retried. */
  readonly once?: true
}

const callUrl = (connection: Connection, { method, path, query = {} }: PspCall<unknown>): string => {
  const { baseUrl, profile, query: always } = connection
  const root = profile.apiPaths[`${method} ${path.resource}`] ?? profile.apiPath
  return withQuery(`${URL.canParse(root) ? "" : baseUrl}${root}${path.text}`, {
    ...query,
    ...pspValues(profile.query, connection),
    ...always,
  })
}

/** The call as the bank's profile has it, with a token. */
export const callRequest = (connection: Connection, call: PspCall<unknown>, { token }: BankToken): HttpRequest => ({
  method: call.method,
  url: callUrl(connection, call),
  headers: {
    ...pspValues(connection.profile.headers, connection),
    ...connection.headers,
    ...call.headers,
    accept: "application/json, application/problem+json",
    ...(connection.profile.clientAuthentication !== "headers" && { authorization: `Bearer ${Redacted.value(token)}` }),
    ...(call.body !== undefined && { "content-type": "application/json" }),
  },
  ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
})

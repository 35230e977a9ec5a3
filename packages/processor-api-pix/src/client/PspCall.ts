import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import type { HttpRequest } from "../connection/Transport.ts"
import type { Connection } from "../connection/openConnection.ts"
import type { PspValue } from "../profiles/PspProfile.ts"
import type { Reader } from "../wire/Reader.ts"
import type { ApiMethod, ApiPath } from "../wire/paths.ts"

export interface PspCall<A> {
  readonly operation: string
  readonly method: ApiMethod
  readonly path: ApiPath
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly read: Reader<A>
  /** The resource can be missing. Some banks report that with an empty answer. */
  readonly mayBeMissing?: true
  /** The call has no id of ours: it isn't retried if the bank can have executed it. */
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

interface CallToken {
  readonly token: Redacted.Redacted<string>
}

export const callRequest = (connection: Connection, call: PspCall<unknown>, { token }: CallToken): HttpRequest => ({
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

const readValue = (wanted: PspValue, { credentials }: Connection): string | undefined => {
  if (typeof wanted === "string") return wanted
  if ("fresh" in wanted) return randomUUID()
  const { from, otherwise = from } = wanted
  return Redacted.value(credentials[from]) || Redacted.value(credentials[otherwise])
}

export const pspValues = (
  wanted: Readonly<Record<string, PspValue>>,
  connection: Connection,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => {
      const text = readValue(value, connection)
      return text === undefined || text === "" ? [] : [[name, text]]
    }),
  )

export const withQuery = (url: string, added: Readonly<Record<string, string>>): string => {
  const names = Object.keys(added)
  if (names.length === 0) return url
  const parsed = new URL(url)
  for (const name of names) parsed.searchParams.set(name, added[name] ?? "")
  return parsed.href
}

import { randomUUID } from "node:crypto"
import type { Connection } from "../ApiPixConnection.ts"
import type { PspValue } from "../PspProfile.ts"
import * as Redacted from "effect/Redacted"

const readValue = (wanted: PspValue, { credentials }: Connection): string | undefined => {
  if (typeof wanted === "string") return wanted
  if ("fresh" in wanted) return randomUUID()
  const { from, otherwise = from } = wanted
  return Redacted.value(credentials[from]) || Redacted.value(credentials[otherwise])
}

/** What a profile wants in headers or a query, for one call; what is optional and not given is left out. */
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

/** A URL with these added to the query that it has. */
export const withQuery = (url: string, added: Readonly<Record<string, string>>): string => {
  const names = Object.keys(added)
  if (names.length === 0) return url
  const parsed = new URL(url)
  for (const name of names) parsed.searchParams.set(name, added[name] ?? "")
  return parsed.href
}

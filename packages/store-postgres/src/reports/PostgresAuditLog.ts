import { type AuditChange, type AuditFilter, AuditLog, type AuditRecord } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../sql/Database.ts"
import { makeValues, repeatable, type SqlValue, type SqlWithValues, unrepeatable } from "../sql/Sql.ts"
import { type List, readPage } from "../sql/pages.ts"
import { millisIn, textIn, toSeconds } from "../sql/values.ts"
import { currentAuthor, providedNow, recordDetails } from "../sql/Author.ts"

const factName = (column: string): string => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const changeFromRow = (row: Row): AuditChange => {
  const { at: _, ...details } = JSON.parse(textIn(row, "details")) as { at?: number; facts?: ReadonlyArray<string> }
  const facts = details.facts?.map(factName)
  return { kind: textIn(row, "kind"), ...details, ...(facts && { facts }) } as AuditChange
}

const list: List<AuditRecord> = {
  fromRow: (row) => ({
    id: textIn(row, "id"),
    at: millisIn(row, "at"),
    cnpj: textIn(row, "issuer") as Cnpj,
    ...(row["actor"] !== null && { by: textIn(row, "actor") }),
    change: changeFromRow(row),
  }),
  position: ({ at, id }) => [toSeconds(at), id],
  textChecks: [(id) => /^\d{1,18}$/.test(id)],
}

export const makeAuditLog = ({ run, query }: Database): AuditLog["Service"] =>
  AuditLog.of({
    list: (cnpj, filter, request) =>
      Effect.flatMap(providedNow, (now) =>
        readPage("audit", list, request, (after, limit, signal) => {
          const { statement, values } = listAuditLog(cnpj, filter, { after, limit }, now !== undefined)
          return run(statement, values, { signal, reportOf: cnpj })
        }),
      ),
    append: Effect.fnUntraced(function* (cnpj, change) {
      const author = yield* currentAuthor
      const details = JSON.stringify(recordDetails(change, author))
      yield* query("appendAudit", appendAuditLog, [cnpj, author.actor ?? null, change.kind, details])
    }),
  })

/** Gives the audit triggers the actor of the statement's changes, or null. The statement must read this step. */
export const setActor = (value: string): string =>
  `actor AS MATERIALIZED (SELECT set_config('pixcharge.actor', coalesce(${value}::text, ''), true))`

/** $1 is the company or reseller, $2 is the actor, $3 is the kind and $4 is the details. */
export const appendAuditLog = unrepeatable(
  "INSERT INTO @.audit_entries (issuer, actor, kind, details) VALUES ($1, $2, $3, $4::json)",
)

/** There is no index for the timestamps of a provided clock (`Author`). */
export const listAuditLog = (
  cnpj: string,
  { kind, by, period, chargeId, endToEndId }: AuditFilter,
  { after, limit }: { readonly after: ReadonlyArray<string | number>; readonly limit: number },
  hasProvidedClock = false,
): SqlWithValues => {
  const { values, value } = makeValues()
  const at = hasProvidedClock ? "coalesce(to_timestamp((l.details ->> 'at')::float8 / 1000), l.at)" : "l.at"
  const moment = (seconds: SqlValue): string => `to_timestamp(${value(seconds, "float8")})`
  const conditions = [`issuer = ${value(cnpj, "text")}`]
  if (kind !== undefined) conditions.push(`kind = ${value(kind, "text")}`)
  if (by !== undefined) conditions.push(`actor = ${value(by, "text")}`)
  if (chargeId !== undefined) conditions.push(`details ->> 'chargeId' = ${value(chargeId, "text")}`)
  if (endToEndId !== undefined) conditions.push(`details ->> 'endToEndId' = ${value(endToEndId, "text")}`)
  if (period !== undefined) {
    conditions.push(`${at} >= ${moment(toSeconds(period.from))} AND ${at} < ${moment(toSeconds(period.until))}`)
  }
  if (after.length > 0) conditions.push(`(${at}, id) < (${moment(after[0])}, ${value(after[1], "bigint")})`)
  const statement = repeatable(`
SELECT l.id::text AS id, l.issuer, date_part('epoch', ${at}) AS at, l.actor, l.kind, l.details::text AS details
FROM @.audit_log l
WHERE ${conditions.join(" AND ")}
ORDER BY ${at} DESC, l.id DESC
LIMIT ${value(limit, "integer")}`)
  return { statement, values }
}

import type { AuditFilter } from "@pixcharge/core"
import { repeatable, type SqlValue, unrepeatable } from "../sql/Sql.ts"
import { toSeconds } from "../sql/values.ts"
import { makeValues, type SqlWithValues } from "../outbox/listDeliveries.sql.ts"

/** Tells the triggers that record a statement's changes who makes them: an actor, or null. The statement has to read this step. */
export const setActor = (value: string): string =>
  `actor AS MATERIALIZED (SELECT set_config('pixcharge.actor', coalesce(${value}::text, ''), true))`

/** Records a change of company or reseller $1 under actor $2: kind $3 and details $4. */
export const appendAuditLog = unrepeatable(
  "INSERT INTO @.audit_entries (issuer, actor, kind, details) VALUES ($1, $2, $3, $4::json)",
)

/**
 * Records of a company or reseller, newest first: a page that follows `position`. Their moments are the database's, or those of a
 * clock that was provided (`Author`) where the record has one; no index has these.
 */
export const listAuditLog = (
  cnpj: string,
  { kind, by, period, chargeId, endToEndId }: AuditFilter,
  position: ReadonlyArray<string | number>,
  maxRows: number,
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
  if (position.length > 0) conditions.push(`(${at}, id) < (${moment(position[0])}, ${value(position[1], "bigint")})`)
  const statement = repeatable(`
SELECT l.id::text AS id, l.issuer, date_part('epoch', ${at}) AS at, l.actor, l.kind, l.details::text AS details
FROM @.audit_log l
WHERE ${conditions.join(" AND ")}
ORDER BY ${at} DESC, l.id DESC
LIMIT ${value(maxRows, "integer")}`)
  return { statement, values }
}

import { type Sql, sql } from "../database/Database.ts"
import type { SchemaName } from "../SchemaName.ts"

/**
 * Moves the texts of charges that are settled since before $1 out of the hot table, at most $2; a row for each.
 *
 * The slim row that stays keeps the id taken and goes on moving by the same statements. Texts are taken from the locked
 * row, for the payer may have been erased since the statement's snapshot.
 */
export const archiveCharges = (schema: SchemaName): Sql =>
  sql(
    `
WITH settled AS MATERIALIZED (
  SELECT c.issuer, c.id, c.payer_name, c.payer_tax_id, c.fees, c.br_code
  FROM ${schema}.charges c
  WHERE c.check_at IS NULL AND c.br_code IS NOT NULL AND c.updated_at < to_timestamp($1)
    AND c.state <> 'refunding' AND (c.state <> 'pending' OR c.watch_until < to_timestamp($1))
  ORDER BY c.updated_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
archived AS (
  INSERT INTO ${schema}.archived_texts (issuer, id, payer_name, payer_tax_id, fees, br_code)
  SELECT issuer, id, payer_name, payer_tax_id, fees, br_code FROM settled
)
UPDATE ${schema}.charges c SET payer_name = NULL, payer_tax_id = NULL, fees = NULL, br_code = NULL
FROM settled s WHERE c.issuer = s.issuer AND c.id = s.id
RETURNING c.id`,
    { repeatable: false },
  )

/**
 * Takes charges whose check has come at $1, at most $2, and puts it off to $3; with the moment it had come at. The last
 * are those whose checks were ended by a clock that was ahead of $1 by more than a minute, and those whose check it has
 * set further ahead than any is put off.
 */
export const claimChecks = (schema: SchemaName): Sql =>
  sql(
    `
WITH due AS MATERIALIZED (
  SELECT c.issuer, c.id, c.check_at FROM ${schema}.charges c
  WHERE c.check_at <= to_timestamp($1)
  ORDER BY c.check_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
ended AS MATERIALIZED (
  SELECT c.issuer, c.id, c.checks_ended_at AS check_at FROM ${schema}.charges c
  WHERE c.checks_ended_at > to_timestamp($1) + interval '1 minute'
  ORDER BY c.checks_ended_at
  LIMIT $2::integer - (SELECT count(*) FROM due)
  FOR UPDATE SKIP LOCKED
),
ahead AS MATERIALIZED (
  SELECT c.issuer, c.id, c.check_at FROM ${schema}.charges c
  WHERE c.check_at > to_timestamp($1) + interval '25 hours'
  ORDER BY c.check_at DESC
  LIMIT $2::integer - (SELECT count(*) FROM due) - (SELECT count(*) FROM ended)
  FOR UPDATE SKIP LOCKED
)
UPDATE ${schema}.charges c SET check_at = to_timestamp($3), checks_ended_at = NULL
FROM (SELECT * FROM due UNION ALL SELECT * FROM ended UNION ALL SELECT * FROM ahead) d WHERE c.issuer = d.issuer AND c.id = d.id
RETURNING c.issuer, c.id, date_part('epoch', d.check_at) AS was_due_at`,
    { repeatable: false },
  )

/** Sets or clears the check of a charge that still has version $3; $5 is when its last one was made. */
export const scheduleCheck = (schema: SchemaName): Sql =>
  sql(
    `
UPDATE ${schema}.charges SET check_at = to_timestamp($4), checks_ended_at = to_timestamp($5)
WHERE issuer = $1 AND id = $2::uuid AND version = $3`,
    { repeatable: true },
  )

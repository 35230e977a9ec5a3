import { seconds } from "../charges/chargeColumns.sql.ts"
import { repeatable, unrepeatable } from "../database/Sql.ts"

/**
 * Enters companies that have charges, each as reconciled until its first one, its turn at $1 (in seconds since the epoch); answers with a row for each.
 * Companies are found by leaping from one to the next in the index.
 */
export const enterCompanies = repeatable(`
WITH RECURSIVE company AS (
  (SELECT issuer, created_at FROM @.charges ORDER BY issuer, created_at LIMIT 1)
  UNION ALL
  SELECT n.issuer, n.created_at FROM company k CROSS JOIN LATERAL (
    SELECT c.issuer, c.created_at FROM @.charges c
    WHERE c.issuer > k.issuer ORDER BY c.issuer, c.created_at LIMIT 1
  ) n
)
INSERT INTO @.reconciliations (issuer, since, reconciled_until, next_at)
SELECT k.issuer, k.created_at, k.created_at, to_timestamp($1) FROM company k
WHERE NOT EXISTS (SELECT 1 FROM @.reconciliations r WHERE r.issuer = k.issuer)
ORDER BY k.issuer
ON CONFLICT DO NOTHING
RETURNING issuer`)

const hasCome = (moment: string): string => `(${moment} <= to_timestamp($1) OR ${moment} > to_timestamp($3))`

/**
 * Takes the company whose turn has come first at $1, until $2; moments after $3 were written by a clock that ran ahead,
 * and have come as well. All in seconds since the epoch.
 */
export const claimReconciliation = unrepeatable(`
WITH due AS MATERIALIZED (
  SELECT r.issuer FROM @.reconciliations r
  WHERE (${hasCome("r.next_at")} OR r.reconciled_until > to_timestamp($3))
    AND (r.lease_until IS NULL OR ${hasCome("r.lease_until")})
  ORDER BY r.next_at
  LIMIT 1
  FOR UPDATE SKIP LOCKED
)
UPDATE @.reconciliations r SET lease_token = gen_random_uuid(), lease_until = to_timestamp($2)
FROM due d WHERE r.issuer = d.issuer
RETURNING r.issuer, r.run_list, r.run_cursor, r.run_has_failed, r.lease_token,
  ${seconds("r.since")} AS since, ${seconds("r.reconciled_until")} AS reconciled_until, ${seconds("r.run_until")} AS run_until,
  ${seconds("r.failing_since")} AS failing_since`)

/**
 * Keeps how far the claim $2 of company $1 has come; the lease goes on until $7, or ends with the next turn at $8. Instants
 * are in seconds since the epoch.
 */
export const saveReconciliation = unrepeatable(`
UPDATE @.reconciliations SET
  reconciled_until = to_timestamp($3), run_until = to_timestamp($4), run_list = $5::text, run_cursor = $6::text,
  run_has_failed = $9::boolean, failing_since = to_timestamp($10),
  lease_token = CASE WHEN $8::float8 IS NULL THEN lease_token END,
  lease_until = to_timestamp($7),
  next_at = coalesce(to_timestamp($8), next_at)
WHERE issuer = $1 AND lease_token::text = $2
RETURNING issuer`)

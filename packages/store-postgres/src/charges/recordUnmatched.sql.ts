import { repeatable } from "../database/Sql.ts"
import { paymentColumns, returnColumns } from "./ChargeRow.ts"
import { isNewReturn } from "./isNewReturn.sql.ts"

/**
 * Records the payment $1 of no known charge, and its returns $2; returns a row. Does nothing if the payment is there already, or is
 * another company's. Waits 2 s for a lock.
 */
export const recordUnmatched = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
recorded AS (
  INSERT INTO @.payments (${paymentColumns.names}, settles, exception_version)
  SELECT
    ${paymentColumns.given("n")}, false,
    -- Tells a charge that adopts it meanwhile that something was returned.
    least(json_array_length($2::json), 1)
  FROM lock_limit, json_to_record($1::json) AS n (${paymentColumns.recordset})
  ON CONFLICT DO NOTHING
  RETURNING issuer, end_to_end_id
),
returned AS (
  INSERT INTO @.returns (${returnColumns.names})
  SELECT ${returnColumns.given("n")}
  FROM recorded r JOIN json_to_recordset($2::json) AS n (${returnColumns.recordset}) ON n.issuer = r.issuer AND n.end_to_end_id = r.end_to_end_id
  WHERE ${isNewReturn}
  ORDER BY n.id COLLATE "C"
  ON CONFLICT DO NOTHING
)
SELECT end_to_end_id FROM recorded`)

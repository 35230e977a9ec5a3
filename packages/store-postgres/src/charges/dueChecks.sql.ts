import { clockToleranceMs, maxAheadMs } from "@pixcharge/core"
import { wakesForMs } from "@pixcharge/core/internal"
import { maxRecurrenceCheckMs } from "@pixcharge/core/recurring"
import { maxCounted, measureWaiting } from "../outbox/operations.sql.ts"
import { seconds } from "../sql/Columns.ts"
import { hideFromPlanner, lookUp, repeatable, timeAt, unrepeatable } from "../sql/Sql.ts"
import { dueSteps, findsRow, type Step, takeSteps } from "../sql/steps.ts"
import { exceptionColumns, exceptionJoin } from "./exceptions.sql.ts"
import { mayWake, turnSteps, wakeCompanies } from "./reconciliations.sql.ts"

// Instants are in seconds since the epoch.

const limit = hideFromPlanner("$2::integer")

/** The planner assumes that a range with one bound matches a third of the table, but with two bounds only a 200th. */
const isDue = `c.check_at > '-infinity' AND c.check_at <= ${timeAt()}`

const isEarly = `c.state = 'pending' AND c.look_up_at > ${timeAt()}`

const claimColumns = `c.issuer, c.id, (${isEarly}) IS TRUE AS is_early,
    c.state = 'pending' AND (c.look_up_at IS NOT NULL OR c.created_at > ${timeAt(-wakesForMs)}) AS wakes`

/** Charges with times that a fast clock wrote. */
const misdated: ReadonlyArray<Step> = [
  {
    name: "ended",
    moment: "c.checks_ended_at",
    where: `c.checks_ended_at > ${timeAt(clockToleranceMs)} AND c.checks_ended_at < 'infinity'`,
  },
  {
    name: "ahead",
    moment: "c.check_at",
    // In the words of the partial index.
    where: `c.check_at IS NOT NULL AND (c.state <> 'pending' OR c.check_at - c.watch_until > interval '25 hours')
    AND c.check_at > ${timeAt(maxAheadMs)} AND c.check_at < 'infinity'`,
    isLatestFirst: true,
  },
]

/**
 * Claims at most $2 charges whose check is due at $1, and postpones each check to $3; returns when it was due. Then claims
 * misdated charges.
 *
 * Postpones the check of an unpaid charge with a later look-up (`early`) to that look-up, and doesn't return or count the charge.
 * Such a charge wakes its company, and so does a claimed young unpaid charge.
 */
export const claimCharges = unrepeatable(`
WITH early AS MATERIALIZED (
  SELECT ${claimColumns}, c.check_at FROM @.charges c
  WHERE ${isDue} AND ${isEarly}
  ORDER BY c.check_at
  LIMIT 500
  FOR UPDATE SKIP LOCKED
),
${takeSteps("charges c", claimColumns, limit, [
  { name: "due", moment: "c.check_at", where: `${isDue} AND (${isEarly}) IS NOT TRUE` },
  ...misdated,
])},
claimed AS MATERIALIZED (SELECT * FROM early UNION ALL SELECT * FROM taken),
woken AS (${wakeCompanies("(SELECT DISTINCT issuer FROM claimed WHERE wakes)")}
),
postponed AS (
  UPDATE @.charges c SET
    check_at = CASE WHEN t.is_early THEN c.look_up_at ELSE to_timestamp($3) END,
    look_up_at = NULL, checks_ended_at = NULL
  FROM claimed t WHERE ${lookUp({ "c.issuer": "t.issuer", "c.id": "t.id" })}
  RETURNING c.issuer, c.id, t.is_early, ${seconds("t.check_at")} AS was_due_at
)
SELECT issuer, id, was_due_at FROM postponed WHERE NOT is_early`)

/**
 * Sets or clears the checks of the charges $1, each only at its version. After a check was made (`is_made`), sets the next check
 * only if it's still due at `seen_at`; `ended_at` is the time of the last check. $1 names each charge once; all statements lock
 * charges in the same order. $2 is the lock time-out, such as `200ms`.
 */
export const scheduleCharges = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true)),
scheduled AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_recordset($1::json) AS n (
    issuer text, id uuid, version integer, is_made boolean, check_at float8, ended_at float8, seen_at float8
  )
),
locked AS MATERIALIZED (
  SELECT c.issuer, c.id
  FROM (SELECT * FROM scheduled ORDER BY issuer COLLATE "C", id) n CROSS JOIN LATERAL (
    SELECT issuer, id FROM @.charges
    WHERE issuer = n.issuer AND id = n.id AND version = n.version
      AND (NOT n.is_made OR check_at IS NOT DISTINCT FROM to_timestamp(n.seen_at))
    FOR UPDATE
  ) c
)
UPDATE @.charges c SET
  check_at = to_timestamp(n.check_at), checks_ended_at = to_timestamp(n.ended_at),
  look_up_at = NULL
FROM locked l JOIN scheduled n ON n.issuer = l.issuer AND n.id = l.id
WHERE ${lookUp({ "c.issuer": "l.issuer", "c.id": "l.id" })}`)

const refundSteps = dueSteps("p.refund_check_at", maxAheadMs, "NOT p.settles AND p.exception_state = 'refunding'")

/** Claims at most $2 exceptions under refund whose check is due at $1 or misdated, and postpones it to $3. */
export const claimExceptions = unrepeatable(`
WITH ${takeSteps("payments p", "p.issuer, p.end_to_end_id", limit, refundSteps)},
claimed AS (
  UPDATE @.payments p SET refund_check_at = to_timestamp($3)
  FROM taken d WHERE ${lookUp({ "p.issuer": "d.issuer", "p.end_to_end_id": "d.end_to_end_id" })}
  RETURNING p.*, d.due_at
)
SELECT ${exceptionColumns}
FROM claimed p ${exceptionJoin}
ORDER BY p.due_at`)

/** Sets the check of the exception of payment $2 of company $1 to $4, if it is under refund at version $3. */
export const scheduleException = repeatable(`
UPDATE @.payments SET refund_check_at = to_timestamp($4)
WHERE issuer = $1 AND end_to_end_id = $2 AND exception_version = $3 AND exception_state = 'refunding' AND NOT settles`)

export const recurrenceSteps = dueSteps("r.check_at", maxRecurrenceCheckMs, "r.check_at > '-infinity'")

/**
 * Returns the kinds of work due at $1, and the depth of the outbox. An early charge isn't due while its company wouldn't get a
 * turn from a wake: one claim then wakes it for several charges.
 */
export const lookForWork = repeatable(`
SELECT
  c.is_due OR c.can_wake OR ${findsRow("charges c", misdated)} AS charges,
  ${findsRow("payments p", refundSteps)} AS exceptions,
  ${findsRow("recurrences r", recurrenceSteps)} AS recurrences,
  c.can_wake OR ${findsRow("reconciliations r", turnSteps)} AS companies,
  d.first_at <= ${timeAt()} AS deliveries, d.waiting, d.oldest_at
FROM (
  SELECT
    bool_or(NOT c.is_early) OR count(*) = 500 AS is_due,
    bool_or(c.is_pending AND (r.issuer IS NULL OR ${mayWake})) AS can_wake
  FROM (
    SELECT c.issuer, c.state = 'pending' AS is_pending, (${isEarly}) IS TRUE AS is_early FROM @.charges c
    WHERE ${isDue} ORDER BY c.check_at LIMIT 500
  ) c
  LEFT JOIN @.reconciliations r ON ${lookUp({ "r.issuer": "c.issuer" })}
) c, (${measureWaiting(maxCounted)}) d`)

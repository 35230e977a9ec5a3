import {
  clockToleranceMs,
  type ListRun,
  maxAheadMs,
  type Period,
  type Reconciliation,
  type WaitingCharge,
} from "@pixcharge/core"
import { wakeIntervalMs } from "@pixcharge/core/internal"
import { Columns, flag, instant, integer, text, uuid } from "../sql/Columns.ts"
import { lookUp, paged, repeatable, timeAt, unrepeatable } from "../sql/Sql.ts"
import { type Step, takeSteps } from "../sql/steps.ts"

const runFields = { until: instant, cursor: text, hasFailed: flag }

export const companyColumns = new Columns<Pick<Reconciliation, "issuer" | "since">>({ issuer: text, since: instant })

export const progressColumns = new Columns<Omit<Reconciliation, "issuer" | "since">>({
  reconciledUntil: instant,
  run: new Columns<ListRun>(runFields, { prefix: "run_" }),
  returnsDueAt: instant,
  returnsRun: new Columns<ListRun>(runFields, { prefix: "returns_run_" }),
  failingSince: instant,
  expiryEventsSince: instant,
  lookedUp: new Columns<Period>({ from: instant, until: instant }, { prefix: "looked_up_" }),
})

export const waitingColumns = new Columns<WaitingCharge>({
  issuer: text,
  id: uuid,
  version: integer,
  checkAt: instant,
  createdAt: instant,
})

// Instants are in seconds since the epoch.

/**
 * Enters companies with charges, each with `since` of its first charge, and its next turn at $1. Returns a row for each new
 * company. If $2 is true, sets an absent `expiry_events_since` to $1.
 */
export const enterCompanies = repeatable(`
WITH RECURSIVE without_events AS MATERIALIZED (
  SELECT issuer FROM @.reconciliations WHERE $2::boolean AND expiry_events_since IS NULL
  ORDER BY issuer FOR UPDATE SKIP LOCKED
),
with_events AS (
  UPDATE @.reconciliations r SET expiry_events_since = to_timestamp($1)
  FROM without_events u WHERE ${lookUp({ "r.issuer": "u.issuer" })}
),
company AS (
  (SELECT issuer, created_at FROM @.charges ORDER BY issuer, created_at LIMIT 1)
  UNION ALL
  SELECT n.issuer, n.created_at FROM company k CROSS JOIN LATERAL (
    SELECT c.issuer, c.created_at FROM @.charges c
    WHERE c.issuer > k.issuer ORDER BY c.issuer, c.created_at LIMIT 1
  ) n
)
INSERT INTO @.reconciliations (issuer, since, reconciled_until, expiry_events_since, next_at, returns_due_at)
SELECT k.issuer, k.created_at, k.created_at, k.created_at, to_timestamp($1), to_timestamp($1) + interval '24 hours'
FROM company k
WHERE NOT EXISTS (SELECT 1 FROM @.reconciliations r WHERE r.issuer = k.issuer)
ORDER BY k.issuer
ON CONFLICT DO NOTHING
RETURNING issuer`)

/**
 * Wakes the companies in the column `issuer` of a table at $1. Enters companies that are new. Also wakes a company whose turn has
 * come, because that turn can end before it sees the charge.
 *
 * Looks companies up as ranges: with `=`, Postgres 18.4 crashes if the table is partitioned and another session changed a row.
 */
export const wakeCompanies = (table: string): string => `
INSERT INTO @.reconciliations AS r (issuer, since, reconciled_until, expiry_events_since, next_at, returns_due_at)
SELECT w.issuer, f.since, f.since, f.since, to_timestamp($1), to_timestamp($1) + interval '24 hours'
FROM ${table} w CROSS JOIN LATERAL (
  SELECT coalesce(
    (SELECT known.since FROM @.reconciliations known WHERE known.issuer BETWEEN w.issuer AND w.issuer),
    (SELECT c.created_at FROM @.charges c WHERE c.issuer BETWEEN w.issuer AND w.issuer ORDER BY c.issuer, c.created_at LIMIT 1)
  ) AS since
  -- Evaluated once.
  OFFSET 0
) f
WHERE f.since IS NOT NULL
ORDER BY w.issuer
ON CONFLICT (issuer) DO UPDATE SET wake_at = excluded.next_at
WHERE r.wake_at IS NULL OR r.wake_at > excluded.next_at`

export const wakeCompany = repeatable(wakeCompanies(`(SELECT $2::text COLLATE "C" AS issuer)`))

export const expiryEventsSince = repeatable(`
SELECT date_part('epoch', r.expiry_events_since) AS since FROM @.reconciliations r WHERE r.issuer = $1`)

const isFree = `(r.lease_until IS NULL OR r.lease_until <= ${timeAt()} OR r.lease_until > ${timeAt(maxAheadMs)})`

const turnAt = "LEAST(r.next_at, r.wake_at)"
const sweptAt = "coalesce(r.looked_up_until, r.reconciled_until)"
const knownUntil = "GREATEST(r.reconciled_until, r.wake_at)"

const mayWakeAgain = `(${sweptAt} <= ${timeAt(-wakeIntervalMs)} OR ${sweptAt} > ${timeAt(clockToleranceMs)})`

export const mayWake = `${mayWakeAgain} AND ${isFree}`

/** Turns that have come. Times too far ahead were written by a fast clock and count as past. */
export const turnSteps: ReadonlyArray<Step> = [
  {
    name: "due",
    moment: turnAt,
    where: `${turnAt} <= ${timeAt()} AND (r.next_at <= ${timeAt()} OR ${mayWakeAgain}) AND ${isFree}`,
  },
  { name: "far", moment: turnAt, where: `${turnAt} > ${timeAt(maxAheadMs)} AND ${isFree}`, isLatestFirst: true },
  {
    // By a partial index, which has few companies.
    name: "ahead",
    moment: knownUntil,
    where: `${knownUntil} > r.next_at AND ${knownUntil} > ${timeAt(maxAheadMs)} AND ${isFree}`,
    isLatestFirst: true,
  },
]

const turnColumns = "r.issuer, r.wake_at IS NOT NULL OR r.lease_token IS NOT NULL AS is_woken"

/** At $1, claims the company whose turn came first, until $2. */
export const claimReconciliation = unrepeatable(`
WITH ${takeSteps("reconciliations r", turnColumns, "1", turnSteps)}
UPDATE @.reconciliations r SET
  lease_token = gen_random_uuid(), lease_until = to_timestamp($2), next_at = ${turnAt}, wake_at = NULL
FROM taken d WHERE ${lookUp({ "r.issuer": "d.issuer" })}
RETURNING r.lease_token, d.is_woken, ${companyColumns.and(progressColumns).shown("r")}`)

/**
 * Saves the progress $3, a JSON object, of company $1 under the lease $2. Renews the lease until $4, or ends it and sets the next
 * turn to $5. Only a wake sets `wake_at`, and only a claim clears it.
 */
export const saveReconciliation = unrepeatable(`
UPDATE @.reconciliations r SET
  ${progressColumns.set("n")},
  lease_token = CASE WHEN $5::float8 IS NULL THEN lease_token END,
  lease_until = to_timestamp($4),
  next_at = coalesce(to_timestamp($5), next_at)
FROM json_to_record($3::json) AS n (${progressColumns.recordset})
WHERE r.issuer = $1 AND r.lease_token::text = $2
RETURNING r.issuer`)

/**
 * At most $3 unpaid charges of company $1 with a scheduled check, youngest first. $2 is a JSON array of amounts, or null. $4 and
 * $5 end the previous page.
 */
export const waitingCharges = paged(
  (isFirst) => `
SELECT ${waitingColumns.shown("c")}
FROM @.charges c
WHERE c.issuer = $1 AND c.state = 'pending' AND c.check_at IS NOT NULL AND c.look_up_at IS NULL
  AND ($2::text IS NULL OR c.amount_cents IN (SELECT json_array_elements_text($2::json)::bigint))${
    isFirst ? "" : "\n  AND (c.created_at, c.id) < (to_timestamp($4), $5::uuid)"
  }
ORDER BY c.created_at DESC, c.id DESC
LIMIT $3`,
)

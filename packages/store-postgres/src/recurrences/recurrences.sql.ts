import type { RecurrenceFilter } from "@pixcharge/core/recurring"
import { readSoughtText } from "@pixcharge/core/charges"
import {
  chargeColumns,
  chargeJoins,
  insertChargeRows,
  insertChargeTexts,
  isGivenUp,
  newCharges,
} from "../charges/chargeColumns.sql.ts"
import { recurrenceSteps } from "../charges/dueChecks.sql.ts"
import { seconds } from "../sql/Columns.ts"
import {
  hideFromPlanner,
  lookUp,
  makeValues,
  paged,
  repeatable,
  runsAfter,
  type SqlValue,
  type SqlWithValues,
  unrepeatable,
} from "../sql/Sql.ts"
import { takeSteps } from "../sql/steps.ts"
import { hasPayerName, nameBeginning, namePattern } from "../charges/chargeLists.sql.ts"
import { deliveryColumns } from "../outbox/DeliveryRow.ts"
import { recurrenceState, recurrenceTerms } from "./RecurrenceRow.ts"

// Instants are in seconds since the epoch.

const columns = recurrenceTerms.and(recurrenceState)

const recurrenceColumns = `r.state, ${columns.shown("r")}`

/**
 * Stores the new recurrence $1, with its check at $2; returns a row unless its id or its contract is taken. Also records $3 in
 * the audit log, if given.
 */
export const insertRecurrence = repeatable(`
WITH inserted AS (
  INSERT INTO @.recurrences (state, check_at, ${columns.names})
  SELECT n.state, to_timestamp($2), ${columns.given("n")}
  FROM json_to_record($1::json) AS n (state text, ${columns.recordset})
  ON CONFLICT DO NOTHING
  RETURNING issuer, id
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT i.issuer, n.actor, n.audit_kind, n.audit_details
  FROM inserted i, json_to_record($3::json) AS n (actor text, audit_kind text, audit_details json)
  WHERE n.audit_kind IS NOT NULL
)
SELECT id FROM inserted`)

export const findRecurrence = repeatable(
  `SELECT ${recurrenceColumns} FROM @.recurrences r WHERE r.issuer = $1 AND r.id = $2::uuid`,
)

/** $1 is the company, $2 is the contract. */
export const findBankIdsOfOthers = repeatable(
  `SELECT r.bank_id FROM @.recurrences r WHERE r.contract = $2 AND r.issuer <> $1 AND r.bank_id IS NOT NULL`,
)

export const findOffer = repeatable(`
SELECT r.id FROM @.recurrences r
WHERE r.issuer = $1 AND r.terms #>> '{journey,chargeId}' = $2 AND r.state <> 'ended'
LIMIT 1`)

const matchesText = (text: string, value: (given: SqlValue, type: string) => string): string => {
  const { ids, payerTaxId, payerWords } = readSoughtText(text)
  const meanings = [`r.contract = ${value(text.trim(), "text")}`]
  if (ids !== undefined) meanings.push(`r.id BETWEEN ${value(ids.first, "uuid")} AND ${value(ids.last, "uuid")}`)
  if (payerTaxId !== undefined) meanings.push(`r.payer_tax_id = ${value(payerTaxId, "text")}`)
  if (payerWords !== undefined) {
    meanings.push(hasPayerName("r", value(nameBeginning(payerWords), "text"), value(namePattern(payerWords), "text")))
  }
  return `(${meanings.join(" OR ")})`
}

export const listRecurrences = (
  issuer: string,
  { state, payer, text }: RecurrenceFilter,
  position: ReadonlyArray<string | number>,
  maxRows: number,
): SqlWithValues => {
  const { values, value } = makeValues()
  const conditions = [`r.issuer = ${value(issuer, "text")}`]
  if (state !== undefined) conditions.push(`r.state = ${value(state.toLowerCase(), "text")}`)
  if (payer !== undefined) conditions.push(`r.payer_tax_id = ${value(payer, "text")}`)
  if (text !== undefined) conditions.push(matchesText(text, value))
  if (position.length > 0) {
    const [createdAt, id] = position
    conditions.push(`(r.created_at, r.id) < (to_timestamp(${value(createdAt, "float8")}), ${value(id, "uuid")})`)
  }
  const statement = repeatable(`
SELECT ${recurrenceColumns}
FROM @.recurrences r
WHERE ${conditions.join(" AND ")}
ORDER BY r.created_at DESC, r.id DESC
LIMIT ${value(maxRows, "integer")}`)
  return { statement, values }
}

const cycleCharges = (condition: string, page: string): string => `
SELECT ${chargeColumns}
FROM (
  SELECT * FROM @.charges c WHERE c.issuer = $1 AND c.recurrence_id = $2::uuid ${condition}
  ${page}
) c ${chargeJoins}
`

const lastFirst = "ORDER BY c.cycle DESC, c.generation DESC"

/** At most $3 charges of recurrence $2 of company $1, last cycle and generation first. $4 and $5 end the previous page. */
export const listCycleCharges = paged(
  (isFirst) =>
    `${cycleCharges(isFirst ? "" : "AND (c.cycle, c.generation) < ($4::integer, $5::integer)", `${lastFirst} LIMIT $3`)}${lastFirst}`,
)

export const findLastCharge = repeatable(cycleCharges("AND c.cycle = $3::integer", `${lastFirst} LIMIT 1`))

/**
 * The last $3 pending charges of recurrence $2 of company $1, in order of cycle. Excludes charges whose debit the bank gave up.
 */
export const findOpenCharges = repeatable(
  `${cycleCharges(`AND c.state = 'pending' AND (${isGivenUp("c")}) IS NOT TRUE`, `${lastFirst} LIMIT $3`)}ORDER BY c.cycle, c.generation`,
)

/** Claims at most $2 recurrences whose check is due at $1 or misdated, oldest check first, and postpones it to $3. */
export const claimRecurrences = unrepeatable(`
WITH ${takeSteps("recurrences r", "r.issuer, r.id", hideFromPlanner("$2::integer"), recurrenceSteps)},
claimed AS (
  UPDATE @.recurrences r SET check_at = to_timestamp($3)
  FROM taken d WHERE ${lookUp({ "r.issuer": "d.issuer", "r.id": "d.id" })}
  RETURNING r.*, d.due_at
)
SELECT ${recurrenceColumns}, ${seconds("r.due_at")} AS was_due_at
FROM claimed r
ORDER BY r.due_at`)

/**
 * Sets the checks of company $1's recurrences in $2 to $3. Each is named by the bank's id, or by the id of one of its charges.
 */
export const scheduleNamed = repeatable(`
WITH given AS MATERIALIZED (
  SELECT $1::text AS issuer, n.* FROM json_to_recordset($2::json) AS n (bank_id text, charge_id uuid)
),
named AS MATERIALIZED (
  SELECT r.id FROM given n
  JOIN @.recurrences r ON ${lookUp({ "r.issuer": "n.issuer", "r.bank_id": "n.bank_id" })}
  UNION
  SELECT c.recurrence_id FROM given n
  JOIN @.charges c ON ${lookUp({ "c.issuer": "n.issuer", "c.id": "n.charge_id" })}
),
locked AS MATERIALIZED (
  SELECT r.issuer, r.id FROM @.recurrences r
  WHERE r.issuer = $1 AND r.id = ANY (ARRAY(SELECT id FROM named))
  ORDER BY r.id
  FOR UPDATE
)
UPDATE @.recurrences r SET check_at = to_timestamp($3), version = version + 1
FROM locked h WHERE ${lookUp({ "r.issuer": "h.issuer", "r.id": "h.id" })}`)

/** Sets the check of recurrence $2 of company $1 to $3, or clears it: only at version $4 or, without $4, as its next version. */
export const scheduleRecurrence = repeatable(`
UPDATE @.recurrences SET check_at = to_timestamp($3), version = coalesce($4, version + 1)
WHERE issuer = $1 AND id = $2::uuid AND ($4::integer IS NULL OR version = $4)`)

/**
 * Moves the recurrence $1 by compare-and-set, with its cycles' charges $2 and the deliveries $3, each a JSON array; returns a row
 * if it moved. Writes no row if a charge's id is taken, or its cycle has another charge that is neither cancelled nor rejected.
 * Locks the recurrence before its charges. Waits 2 s for a lock.
 */
export const commitRecurrence = unrepeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
change AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_record($1::json) AS n (
    issuer text, id uuid, expected integer, state text, check_at float8, ${recurrenceState.recordset},
    actor text, audit_kind text, audit_details json
  )
),
locked AS MATERIALIZED (
  SELECT r.issuer, r.id
  FROM change n CROSS JOIN LATERAL (
    SELECT issuer, id, version FROM @.recurrences WHERE issuer = n.issuer AND id = n.id
    FOR UPDATE
  ) r
  WHERE r.version = n.expected
),
charge AS MATERIALIZED (
  SELECT n.* FROM locked l JOIN json_to_recordset($2::json) AS n (${newCharges}) ON n.issuer = l.issuer
),
inserted_charge AS (
  ${insertChargeRows}
  ON CONFLICT DO NOTHING
  RETURNING issuer, id
),
texts AS (
  ${insertChargeTexts}
),
moved AS (
  UPDATE @.recurrences r SET
    state = n.state, check_at = to_timestamp(n.check_at), ${recurrenceState.set("n")}
  FROM locked l, change n
  WHERE ${lookUp({ "r.issuer": "l.issuer", "r.id": "l.id" })}
    AND (SELECT count(*) FROM inserted_charge) = json_array_length($2::json)
  RETURNING r.issuer, r.version, r.updated_at
),
queued AS (
  INSERT INTO @.deliveries (issuer, ${deliveryColumns.names}, position, queued_at, next_at)
  SELECT
    m.issuer, ${deliveryColumns.given("n")},
    m.version, m.updated_at, m.updated_at
  FROM moved m, json_to_recordset($3::json) AS n (${deliveryColumns.recordset})
  WHERE ${runsAfter("moved")}
  ORDER BY n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details FROM change n, moved WHERE n.audit_kind IS NOT NULL
)
SELECT issuer FROM moved`)

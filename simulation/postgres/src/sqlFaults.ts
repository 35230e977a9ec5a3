import type { SqlFault } from "./SqlFault.ts"

// Marks: a text that the statement alone has.
const commit = "brings_settling boolean"
const commitException = "change n JOIN"
const settle = "FROM settlement s"
const claim = "hurried, candidate"

/** What may be dropped from the store's SQL, by what is missing then. */
export const sqlFaults = {
  "the version check of a charge's commit": {
    mark: commit,
    changes: [["c.moves AND k.version = c.expected AND (c.unsent", "c.moves AND (c.unsent"]],
  },
  "the lock of a charge's commit": { mark: commit, changes: [["FOR UPDATE OF k", ""]] },
  "the look for a payment that settles": {
    mark: commit,
    changes: [["NOT c.brings_settling OR EXISTS", "true OR EXISTS"]],
  },
  "the guard of a payment that is another's": {
    mark: commit,
    changes: [
      ["WHERE p.charge_id = excluded.charge_id\n    OR (p.charge_id IS NULL", "WHERE true OR (p.charge_id IS NULL"],
    ],
  },
  "the guard of a payment whose refund has no answer": {
    mark: commit,
    changes: [["p.refund_unanswered IS NULL\n", "true\n"]],
  },
  "the guard of a payment that is going back": {
    mark: commit,
    changes: [["p.charge_id IS NULL AND p.exception_state = 'open' AND", "p.charge_id IS NULL AND"]],
  },
  "the guard of returns that are there": {
    mark: commit,
    changes: [
      [
        'FROM new_return n\n  WHERE (SELECT count(*) FROM exception) >= 0\n  ORDER BY n.issuer COLLATE "C", n.end_to_end_id COLLATE "C", n.id COLLATE "C"\n  ON CONFLICT DO NOTHING',
        "FROM new_return n\n  WHERE (SELECT count(*) FROM exception) >= 0",
      ],
    ],
  },
  "the new version after a return": { mark: commit, changes: [["version = k.version + 1", "version = k.version"]] },
  "the version check of an exception's commit": {
    mark: commitException,
    changes: [["p.exception_version = n.expected AS may_move", "true AS may_move"]],
  },
  "the lock of an exception's commit": { mark: commitException, changes: [["FOR UPDATE OF p", ""]] },
  "the guard of a charge that is stored": {
    mark: "'pending', n.version",
    changes: [["DO NOTHING", "DO UPDATE SET transaction_id = excluded.transaction_id, br_code = excluded.br_code"]],
  },
  "the lease's fence in a settlement": {
    mark: settle,
    changes: [
      ["AND l.token::text = s.token", ""],
      ["AND h.token = s.token", ""],
    ],
  },
  "the number of the attempt in a settlement": { mark: settle, changes: [["AND d.attempts = s.number - 1", ""]] },
  "the token that a claim has seen": { mark: claim, changes: [["AND l.token = c.seen", ""]] },
  "the end of the lease in a claim": {
    mark: claim,
    changes: [
      ["AND l.lease_until <= clock_timestamp()", ""],
      ["coalesce(l.lease_until <= clock_timestamp(), true)", "true"],
    ],
  },
  "the lock of a claim": { mark: claim, changes: [["FOR UPDATE SKIP LOCKED", ""]] },
  "the version check of a charge's next check": {
    mark: "SET check_at = to_timestamp($4), checks_ended_at",
    changes: [["AND version = $3", "AND $3::integer IS NOT NULL"]],
  },
  "the version check of an exception's next check": {
    mark: "SET refund_check_at = to_timestamp($4)",
    changes: [["AND exception_version = $3 AND exception_state = 'refunding'", "AND $3::integer IS NOT NULL"]],
  },
  "the lease's fence of a reconciliation": {
    mark: "reconciled_until = to_timestamp($3)",
    changes: [["AND lease_token::text = $2", "AND $2::text IS NOT NULL"]],
  },
  "the lock of due checks": {
    mark: "SET check_at = to_timestamp($3), checks_ended_at = NULL",
    changes: [["FOR UPDATE SKIP LOCKED", ""]],
  },
  "the paid charge of a replay": { mark: "touched AS", changes: [["k.state = 'paid' AND", ""]] },
  "the row that a superseding move has seen": {
    mark: commit,
    changes: [["c.unsent IS DISTINCT FROM 'supersede' OR", "true OR"]],
  },
} satisfies Readonly<Record<string, SqlFault>>

/** Those that a few histories find. */
export const sharpFaults: ReadonlyArray<keyof typeof sqlFaults> = ["the version check of a charge's commit"]

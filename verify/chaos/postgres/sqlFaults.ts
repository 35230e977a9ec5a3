import type { SoughtSqlFault } from "./SqlFault.ts"

// Marks: a text that the statement alone has.
const commit = "brings_settling boolean"
const insert = "'pending', n.version"
const commitException = "p.exception_version = n.expected AS may_move"

/** What a move that was decided on an older version breaks. */
const staleMove = [
  "oneMoveFromEachVersion",
  "stateFollowsFromMoney",
  "eventForEachTransition",
  "answersAreStored",
  "oneLiveRefund",
  "onceForEachKey",
] as const
const staleException = ["oneMoveFromEachVersion", "answersAreStored", "oneLiveRefund"] as const

/** What the store's SQL may lack, so that histories find it: by what is missing then. */
export const sqlFaults = {
  "the version check of a charge's commit": {
    mark: commit,
    changes: [["c.moves AND k.version = c.expected AND (c.unsent", "c.moves AND (c.unsent"]],
    rules: staleMove,
  },
  "the lock of a charge's commit": { mark: commit, changes: [["FOR UPDATE OF k", ""]], rules: staleMove },
  "the version check of an exception's commit": {
    mark: commitException,
    changes: [[commitException, "true AS may_move"]],
    rules: staleException,
  },
  "the lock of an exception's commit": {
    mark: commitException,
    changes: [["AND NOT p.settles\n    FOR UPDATE", "AND NOT p.settles"]],
    rules: staleException,
  },
  "the guard of a charge that is stored": {
    mark: insert,
    changes: [["DO NOTHING", "DO UPDATE SET transaction_id = excluded.transaction_id"]],
    rules: ["firstAnswerStands"],
  },
} satisfies Readonly<Record<string, SoughtSqlFault>>

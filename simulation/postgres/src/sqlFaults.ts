import type { SqlFault } from "./SqlFault.ts"

// Marks: a text that the statement alone has.
const commit = "brings_settling boolean"
const insert = "'pending', n.version"
const commitException = "p.exception_version = n.expected AS may_move"

/** What the store's SQL may lack, so that histories find it: by what is missing then. */
export const sqlFaults = {
  "the version check of a charge's commit": {
    mark: commit,
    changes: [["c.moves AND k.version = c.expected AND (c.unsent", "c.moves AND (c.unsent"]],
  },
  "the lock of a charge's commit": { mark: commit, changes: [["FOR UPDATE OF k", ""]] },
  "the version check of an exception's commit": {
    mark: commitException,
    changes: [[commitException, "true AS may_move"]],
  },
  "the lock of an exception's commit": { mark: commitException, changes: [["FOR UPDATE OF p", ""]] },
  "the guard of a charge that is stored": {
    mark: insert,
    changes: [["DO NOTHING", "DO UPDATE SET transaction_id = excluded.transaction_id"]],
  },
} satisfies Readonly<Record<string, SqlFault>>

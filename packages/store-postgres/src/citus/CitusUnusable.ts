import { TaggedError } from "@pixcharge/core/internal"

/**
 * The database's Citus, or the schema in it, can't be used as it is; the message says why, in one sentence.
 *
 * @remedy Do what the message says: update Citus, connect to the coordinator, run `pixcharge-postgres distribute`, or use the other store.
 * @repeat Yes, once that is done.
 */
export class CitusUnusable extends TaggedError("CitusUnusable")<{ readonly message: string }> {}

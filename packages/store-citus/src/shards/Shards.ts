import type { StorePorts, StoreUnavailable } from "@pixcharge/core"
import { hasTag, TaggedError } from "@pixcharge/core/internal"
import { SqlFailure } from "@pixcharge/store-postgres"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface Shard {
  /** Stays the same while the shard moves from node to node. A split makes shards with other ids. */
  readonly id: string
  /** A string that hashes into the shard, such as an issuer's CNPJ. */
  readonly key: string
}

export interface ShardPorts {
  readonly id: string
  readonly ports: Context.Context<StorePorts>
}

export interface StoreShards {
  readonly find: (issuer: string) => Effect.Effect<ShardPorts, StoreUnavailable>
  readonly all: Effect.Effect<ReadonlyArray<ShardPorts>, StoreUnavailable>
}

/** A SQLSTATE in a class of our own, because the statement must not be sent again unchanged. */
export const splitState = "PX001"

/** Citus's message if a split ended while a node was planning a statement with the earlier shards. */
const staleShard = /^could not find valid entry for shard \d+$/

/** Whether a split kept the statement from running. Unless the failure is `lost`, no earlier attempt ran either. */
export const isSplitState = (error: unknown): error is SqlFailure =>
  hasTag<SqlFailure>(error, "SqlFailure") &&
  (error.sqlState === splitState || (error.sqlState === "XX000" && staleShard.test(error.message)))

export const splitFailure = () => new SqlFailure({ kind: "undone", sqlState: "40001", message: "the shard was split" })

/** Whether the call failed because its shard was split. */
export const isSplit = ({ cause }: { readonly cause?: unknown }): boolean =>
  hasTag<SqlFailure>(cause, "SqlFailure") && cause.kind === "undone" && cause.message === "the shard was split"

/** The new shards can be split, too. */
export const maxSplits = 3

/**
 * Citus or its schema can't be used; the message says why, in one sentence.
 *
 * @remedy Do what the message says: update Citus, connect to the coordinator, run `pixcharge-citus distribute`, or use the other store.
 * @repeat Yes, once that is done.
 */
export class CitusUnusable extends TaggedError("CitusUnusable")<{ readonly message: string }> {}

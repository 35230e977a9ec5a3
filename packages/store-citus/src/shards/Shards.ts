import type { StorePorts, StoreUnavailable } from "@pixcharge/core"
import { hasTag, TaggedError } from "@pixcharge/core/internal"
import { SqlFailure } from "@pixcharge/store-postgres"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** One shard of the co-located tables. */
export interface Shard {
  /** Stays the same while the shard moves from node to node; a split makes shards of other ids. */
  readonly id: string
  /** A text that hashes into the shard, as an issuer's CNPJ does. */
  readonly key: string
}

/** Every port over one shard. */
export interface ShardPorts {
  readonly id: string
  readonly ports: Context.Context<StorePorts>
}

/** A store in shards, by company. */
export interface StoreShards {
  /** The shard that holds a company. */
  readonly find: (issuer: string) => Effect.Effect<ShardPorts, StoreUnavailable>
  /** Every shard, in an order that doesn't change. */
  readonly all: Effect.Effect<ReadonlyArray<ShardPorts>, StoreUnavailable>
}

/** SQLSTATE of a statement whose shard is no longer there; a class of our own, so that it isn't sent again as it is. */
export const splitState = "PX001"

/** What Citus says when a shard was split while a node was planning a statement with the shards as they were before. */
const staleShard = /^could not find valid entry for shard \d+$/

/** Whether a statement wasn't carried out because of a split; unless it is `lost`, no earlier sending was carried out either. */
export const isSplitState = (error: unknown): error is SqlFailure =>
  hasTag<SqlFailure>(error, "SqlFailure") &&
  (error.sqlState === splitState || (error.sqlState === "XX000" && staleShard.test(error.message)))

/** What a statement fails with whose shard is no longer there; nothing was carried out. */
export const splitFailure = () => new SqlFailure({ kind: "undone", sqlState: "40001", message: "the shard was split" })

/** Whether a call found its shard split: `StoreShards` already knows the shards that took its place. */
export const isSplit = ({ cause }: { readonly cause?: unknown }): boolean =>
  hasTag<SqlFailure>(cause, "SqlFailure") && cause.kind === "undone" && cause.message === "the shard was split"

/** How often a call is made again because its shard was split: those that took its place may be split themselves. */
export const maxSplits = 3

/**
 * The database's Citus, or the schema in it, can't be used as it is; the message says why, in one sentence.
 *
 * @remedy Do what the message says: update Citus, connect to the coordinator, run `pixcharge-citus distribute`, or use the other store.
 * @repeat Yes, once that is done.
 */
export class CitusUnusable extends TaggedError("CitusUnusable")<{ readonly message: string }> {}

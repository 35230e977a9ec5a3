import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { ShardPorts } from "../Shards.ts"

/** What every claim of work says. */
export interface ClaimLimits {
  readonly limit: number
  /** For how long what is claimed is leased, in milliseconds. */
  readonly leaseMs: number
}

/** How work is claimed from the shards. */
export interface ClaimJob<Request extends ClaimLimits, Item> {
  readonly claim: (shard: ShardPorts, request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** Which shards are claimed from at all; by default all. */
  readonly selectShards?: (request: Request) => Effect.Effect<(shard: ShardPorts) => boolean>
  /** What another claim is given in place of an item that came too late for its own; by default the item as it is. */
  readonly toLate?: (item: Item) => Item
  /** What is logged when a shard fails that didn't fail before. */
  readonly complaint: string
}

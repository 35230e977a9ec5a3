import type { InvalidFilter, StorePorts, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSplit, maxSplits, type ShardPorts, type StoreShards } from "../Shards.ts"

/** Makes calls at the shard of the company that they name; one whose shard was split meanwhile is made again where it is now. */
export const atCompany =
  ({ of }: StoreShards) =>
  <A, E extends StoreUnavailable | InvalidFilter | TooManyReports>(
    issuer: string,
    call: (shard: ShardPorts) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    Effect.retry(Effect.flatMap(of(issuer), call), { while: isSplit, times: maxSplits })

/** The same for the calls of one port. */
export const portAtCompany =
  <Name extends StorePorts, Port>(shards: StoreShards, port: Context.Key<Name, Port>) =>
  <A, E extends StoreUnavailable | InvalidFilter | TooManyReports>(
    issuer: string,
    call: (port: Port) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    atCompany(shards)(issuer, ({ ports }) => call(Context.get(ports, port)))

import type { InvalidFilter, StorePorts, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { PayerHasRecurrence } from "@pixcharge/core/recurrence"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSplit, maxSplits, type ShardPorts, type StoreShards } from "../Shards.ts"

type StoreError = StoreUnavailable | InvalidFilter | TooManyReports | PayerHasRecurrence

/** Makes a call at the shard of a company; if that was split meanwhile, again at the shard that holds the company now. */
export const callAtCompany =
  (shards: StoreShards) =>
  <A, E extends StoreError>(
    issuer: string,
    call: (shard: ShardPorts) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    Effect.retry(Effect.flatMap(shards.find(issuer), call), { while: isSplit, times: maxSplits })

/** The same for the calls of one port. */
export const callPortAtCompany =
  <Name extends StorePorts, Port>(shards: StoreShards, port: Context.Key<Name, Port>) =>
  <A, E extends StoreError>(
    issuer: string,
    call: (port: Port) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    callAtCompany(shards)(issuer, ({ ports }) => call(Context.get(ports, port)))

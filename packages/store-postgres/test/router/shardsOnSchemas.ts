import { RevokedTokens, type StorePorts } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { type Connection, migrate } from "@pixcharge/store-postgres"
import { aCnpj } from "@pixcharge/testkit/fixtures"
import type { StoreHooks } from "@pixcharge/testkit/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { routedPorts } from "../../src/citus/router/routedPorts.ts"
import { type ShardPorts, splitFailure, type StoreShards } from "../../src/citus/Shards.ts"
import { makeDatabase } from "../../src/database/Database.ts"
import { schemaName } from "../../src/SchemaName.ts"
import { storePorts } from "../../src/storePorts.ts"
import { storeHooks } from "../storeHooks.ts"

/** One shard of a test: a schema of its own, whose connection can be cut. */
export interface SchemaShard {
  /** Statements that were sent to it. */
  sent: number
  /** `down` refuses every statement, as a node does that is gone; `silent` answers none; `split` has been split. */
  state: "up" | "down" | "silent" | "split"
  readonly id: string
  readonly schema: string
}

const refused = () => Object.assign(new Error("connection to the remote node failed"), { code: "08006" })

const connectionOf = (shard: SchemaShard, db: Connection): Connection => ({
  query: (statement) => {
    shard.sent++
    if (shard.state === "down") return Promise.reject(refused())
    if (shard.state === "split") return Promise.reject(splitFailure())
    if (shard.state === "silent") return new Promise(() => {})
    return db.query(statement)
  },
})

/** A statement to a silent shard is given up after so long: later than others wait for it. */
const answerMs = 5_000

/** Parts companies evenly, and the first two fixtures into different shards. */
const placeOf = (issuer: string, count: number): number =>
  [...issuer].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 0) % count

/** A store in shards, each of which is a schema of one plain Postgres. */
export const shardsOnSchemas = async (db: Connection, count: number) => {
  const all = Array.from({ length: count }, (_, at): SchemaShard => {
    const schema = `shard_${count}_${at}`
    return { sent: 0, state: "up", id: `${at}`, schema }
  })
  for (const { schema } of all) await migrate(db, { schema })
  const known = new Map<string, ShardPorts>()

  const portsOf = (shard: SchemaShard): ShardPorts => {
    // What has taken a split shard's place has its rows, and another id.
    const id = shard.state === "split" ? `${shard.id}'` : shard.id
    const connection = shard.state === "split" ? db : connectionOf(shard, db)
    const found = known.get(id)
    if (found !== undefined) return found
    const ports = storePorts(makeDatabase(connection, schemaName(shard.schema), { answerMs }))
    known.set(id, { id, ports })
    return { id, ports }
  }

  const shardOf = (issuer: string): SchemaShard => {
    const shard = all[placeOf(issuer, count)]
    if (shard === undefined) throw new Error("every company has a shard")
    return shard
  }

  const shards: StoreShards = {
    of: (issuer) => Effect.sync(() => portsOf(shardOf(issuer))),
    all: Effect.sync(() => all.map(portsOf)),
  }
  const resets = all.map(({ schema }) => storeHooks(db, schema).reset ?? Effect.void)
  const candidates = Array.from({ length: 90 }, (_, at) => `${10 + at}222333000181` as Cnpj)
  const neighbour = candidates.find((candidate) => shardOf(candidate) === shardOf(aCnpj)) ?? aCnpj
  const layer: Layer.Layer<StorePorts> = Layer.effectContext(
    Effect.gen(function* () {
      const [first] = yield* shards.all
      if (first === undefined) throw new Error("there are shards")
      return Context.add(yield* routedPorts(shards), RevokedTokens, Context.get(first.ports, RevokedTokens))
    }),
  )
  const hooks: StoreHooks = {
    reset: Effect.gen(function* () {
      for (const shard of all) Object.assign(shard, { state: "up", sent: 0 })
      yield* Effect.all(resets, { concurrency: "unbounded", discard: true })
    }),
    neighbour,
  }
  return { all, shardOf, shards, layer, hooks }
}

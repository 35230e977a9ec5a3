import { createHash } from "node:crypto"
import { RevokedTokens, type StorePorts } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { makeDatabase, schemaName, makeStorePorts } from "@pixcharge/store-postgres/internal"
import { type Connection, migrate, type Statement } from "@pixcharge/store-postgres"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import type { StoreHooks } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { storeHooks, until } from "@pixcharge/verify/postgres"
import { makePaymentOwners } from "../../src/shards/paymentOwners.ts"
import { routePorts } from "../../src/router/routePorts.ts"
import { type ShardPorts, splitFailure, type StoreShards } from "../../src/shards/Shards.ts"

export interface SchemaShard {
  sent: number
  underWay: number
  /**
   * - `down` refuses every statement, like a missing node.
   * - `silent` holds statements back until the next state.
   * - `mute` executes statements, and loses their answers.
   * - `split`: the first statement finds the shard split, and another shard with the same rows replaces it (`replaced`).
   * - `leaving` executes one statement, loses its answer, and is then split.
   * - `splitting` is split again before each statement.
   */
  state: "up" | "down" | "silent" | "mute" | "leaving" | "split" | "replaced" | "splitting"
  /** Whether a statement fails because another session has locked its row. */
  isLocked: (statement: Statement) => boolean
  readonly id: string
  readonly schema: string
}

const makeRefusal = () => Object.assign(new Error("connection to the remote node failed"), { code: "08006" })
const makeLockFailure = () => Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" })

const query = async (shard: SchemaShard, db: Connection, statement: Statement) => {
  await until(() => shard.state !== "silent")
  if (shard.state === "down") throw makeRefusal()
  if (shard.state === "split") shard.state = "replaced"
  if (shard.state === "replaced" || shard.state === "splitting") throw splitFailure()
  if (shard.isLocked(statement)) throw makeLockFailure()
  const answer = await db.query(statement)
  if (shard.state !== "leaving" && shard.state !== "mute") return answer
  if (shard.state === "leaving") shard.state = "split"
  throw makeRefusal()
}

const connectTo = (shard: SchemaShard, db: Connection): Connection => ({
  query: async (statement) => {
    shard.sent++
    shard.underWay++
    try {
      return await query(shard, db, statement)
    } finally {
      shard.underWay--
    }
  },
})

const healthy = { sent: 0, state: "up", isLocked: () => false } satisfies Partial<SchemaShard>

/** Milliseconds until a statement fails: longer than calls wait for a silent shard. */
const answerMs = 10_000

const choosePlace = (issuer: string, count: number): number =>
  createHash("sha256").update(issuer).digest().readUInt32BE() % count

export const shardsOnSchemas = async (server: Connection, count: number) => {
  let working = 0
  const db: Connection = {
    query: async (statement) => {
      working++
      try {
        return await server.query(statement)
      } finally {
        working--
      }
    },
  }
  const all = Array.from({ length: count }, (_, index): SchemaShard => {
    const schema = `shard_${count}_${index}`
    return { ...healthy, underWay: 0, id: `${index}`, schema }
  })
  for (const { schema } of all) {
    await migrate(db, { schema })
    // Drops the trigger, as `distribute` does, because it sees only one shard.
    await db.query({ text: `DROP TRIGGER IF EXISTS claimed ON ${schema}.payments`, values: [] })
  }
  const owners = `shard_${count}_0`
  const known = new Map<string, ShardPorts>()

  const getPorts = (shard: SchemaShard): ShardPorts => {
    const isReplaced = shard.state === "replaced"
    const id = isReplaced ? `${shard.id}'` : shard.id
    const connection = isReplaced ? db : connectTo(shard, db)
    const found = known.get(id)
    if (found !== undefined) return found
    const opened = { id, ports: makeStorePorts(makeDatabase(connection, schemaName(shard.schema), { answerMs })) }
    known.set(id, opened)
    return opened
  }

  const findShard = (issuer: string): SchemaShard => {
    const shard = all[choosePlace(issuer, count)]
    if (shard === undefined) throw new Error("expected a shard of every company")
    return shard
  }

  const shards: StoreShards = {
    find: (issuer) => Effect.sync(() => getPorts(findShard(issuer))),
    all: Effect.sync(() => all.map(getPorts)),
  }
  const resets = all.map(({ schema }) => storeHooks(db, schema).reset ?? Effect.void)
  const candidates = Array.from({ length: 90 }, (_, index) => `${10 + index}222333000181` as Cnpj)
  const neighbour = candidates.find((candidate) => findShard(candidate) === findShard(aCnpj)) ?? aCnpj
  const makeLayer = (routed: StoreShards): Layer.Layer<StorePorts, unknown> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const [first] = yield* shards.all
        if (first === undefined) throw new Error("expected shards")
        const ports = yield* routePorts(routed, makePaymentOwners(makeDatabase(db, schemaName(owners))))
        return Context.add(ports, RevokedTokens, Context.get(first.ports, RevokedTokens))
      }),
    )
  const hooks: StoreHooks = {
    reset: Effect.gen(function* () {
      for (const shard of all) Object.assign(shard, healthy)
      // Waits for the statements that a silent shard held back, although their callers gave up.
      yield* Effect.promise(() => until(() => all.every(({ underWay }) => underWay === 0)))
      yield* Effect.all(resets, { concurrency: "unbounded", discard: true })
    }),
    neighbour,
  }
  /** Whether a statement is being executed; a silent shard holds its statements back. */
  const isWorking = () => working > 0 || all.some(({ state, underWay }) => state !== "silent" && underWay > 0)
  return { all, findShard, shards, layer: makeLayer(shards), makeLayer, hooks, isWorking }
}

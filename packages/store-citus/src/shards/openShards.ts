import { hasTag } from "@pixcharge/core/internal"
import type { Connection, SqlFailure } from "@pixcharge/store-postgres"
import {
  afterLost,
  type Answer,
  type Caller,
  confirmReplication,
  type Database,
  makeDatabase,
  makeStorePorts,
  repeatable,
  repeatableCall,
  type Row,
  type SchemaName,
  type SchemaSql,
  type Sql,
  sqlFailure,
  type SqlValue,
  storeEffect,
  textIn,
  unrepeatable,
  withReads,
} from "@pixcharge/store-postgres/internal"
import * as Predicate from "effect/Predicate"
import { type LoadedShard, ShardMap, useShardTables } from "./ShardMap.ts"
import { isSplitState, type ShardPorts, splitFailure, type StoreShards } from "./Shards.ts"

export const openShards = (db: Connection, schema: SchemaName): StoreShards => {
  const database = makeDatabase(db, schema)
  const map = new ShardMap(database)
  let opened = new Map<string, ShardPorts>()

  const open = (shard: LoadedShard): ShardPorts => {
    const known = opened.get(shard.id)
    if (known !== undefined) return known
    const shardPorts = {
      id: shard.id,
      ports: makeStorePorts(makeShardDatabase(database, schema, shard, () => map.forget())),
    }
    opened.set(shard.id, shardPorts)
    return shardPorts
  }

  const openAll = async (): Promise<ReadonlyArray<ShardPorts>> => {
    const all = (await map.all()).map(open)
    if (opened.size > all.length) opened = new Map(all.map((shard) => [shard.id, shard]))
    return all
  }

  return {
    find: (issuer) => storeEffect("shardOf", async () => open(await map.find(issuer))),
    all: storeEffect("shards", openAll),
  }
}

const callText = "SELECT answer FROM @.on_shard($1::text, $2::bigint, $3::text, $4::text, $5::text[]) answer"
const readingCall = repeatable(callText)
const repeatableWriting = repeatableCall(callText)
const unrepeatableWriting = unrepeatable(callText)

const chooseCall = ({ repeatable: isRepeatable, reads }: Sql): SchemaSql =>
  reads ? readingCall : isRepeatable ? repeatableWriting : unrepeatableWriting

/** Writes an array in Postgres's syntax, because drivers write arrays differently. */
const formatArray = (values: ReadonlyArray<SqlValue>): string =>
  `{${values
    .map((value) =>
      Predicate.isNullish(value) ? "NULL" : `"${String(value).replace(/["\\]/g, (special) => `\\${special}`)}"`,
    )
    .join(",")}}`

const parseRow = (row: Row): Row => JSON.parse(textIn(row, "answer")) as Row

/** Sends statements on one shard's tables as calls of a function that Citus runs on the shard's node. */
class ShardStatements {
  readonly #database: Database
  readonly #schema: SchemaName
  readonly #shard: LoadedShard
  /**
   * A part of the names of prepared statements. It is increased if a session lacks a statement that its setting lists as
   * prepared (`on_shard`).
   */
  #generation = 0

  constructor(database: Database, schema: SchemaName, shard: LoadedShard) {
    this.#database = database
    this.#schema = schema
    this.#shard = shard
  }

  async send(statement: SchemaSql, values: Array<SqlValue>, caller?: Caller): Promise<Answer> {
    const sentWith = this.#generation
    try {
      return await this.#sendOnce(statement, values, caller)
    } catch (error) {
      if (!hasTag<SqlFailure>(error, "SqlFailure") || error.kind !== "unnamed") throw error
      if (this.#generation === sentWith) this.#generation++
      return this.#sendOnce(statement, values, caller)
    }
  }

  async #sendOnce(statement: SchemaSql, values: Array<SqlValue>, caller?: Caller): Promise<Answer> {
    const sql = statement(this.#schema)
    const { key, id, tables } = this.#shard
    const isAnswered = returnsRows(sql)
    // The function reads its statement's rows, so the statement must return rows.
    const text = useShardTables(isAnswered ? sql.text : `${sql.text} RETURNING 1`, this.#schema, tables)
    const call = [key, id, `${sql.name}_${id}_${this.#generation}`, text, formatArray(values)]
    const { rows, repeated } = await this.#database.run(chooseCall(sql), call, caller)
    return { rows: isAnswered ? rows.map(parseRow) : [], repeated }
  }
}

/**
 * A database whose statements run on one shard's tables, over a connection to any node.
 *
 * If the shard is moving to another node, the call is sent again. If the shard was split, the call runs `onSplit` and rejects
 * with `splitFailure`; its statement wasn't executed. If an answer was lost before, an earlier sending might have been executed,
 * and the call rejects as `lost`.
 */
export const makeShardDatabase = (
  database: Database,
  schema: SchemaName,
  shard: LoadedShard,
  onSplit: () => void,
): Database => {
  const statements = new ShardStatements(database, schema, shard)

  const send = async (statement: SchemaSql, values: Array<SqlValue>, caller?: Caller): Promise<Answer> => {
    try {
      return await statements.send(statement, values, caller)
    } catch (error) {
      if (!isSplitState(error)) throw error
      onSplit()
      throw error.kind === "lost" ? error : splitFailure()
    }
  }

  return withReads(async (statement, values, caller) => {
    const answer = await send(statement, values, caller)
    if (!answer.repeated || !statement(schema).writes) return answer
    await send(confirmReplication, []).catch((error: unknown) => {
      throw afterLost(sqlFailure(error))
    })
    return answer
  })
}

const knownReturns = new Map<string, boolean>()

const keepOutermost = (text: string): string => {
  let remaining = text.replace(/--.*$/gm, "")
  for (let before = ""; before !== remaining;) {
    before = remaining
    remaining = remaining.replace(/\([^()]*\)/g, "")
  }
  return remaining
}

/** True for SELECT and for a change with RETURNING, even if no row matches. */
export const returnsRows = ({ name, text }: Sql): boolean => {
  const before = knownReturns.get(name)
  if (before !== undefined) return before
  const outer = keepOutermost(text)
  const [first] = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.exec(outer) ?? []
  const returns = first === "SELECT" || /\bRETURNING\b/.test(outer)
  knownReturns.set(name, returns)
  return returns
}

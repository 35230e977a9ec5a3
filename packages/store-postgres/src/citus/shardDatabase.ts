import {
  type Answer,
  type Caller,
  confirmReplication,
  type Database,
  type Row,
  withReads,
} from "../database/Database.ts"
import { afterLost } from "../database/retry.ts"
import { repeatable, repeatableCall, type SchemaSql, type Sql, unrepeatable } from "../database/Sql.ts"
import { SqlFailure, sqlFailure } from "../database/SqlFailure.ts"
import { textIn } from "../database/values.ts"
import type { SchemaName } from "../SchemaName.ts"
import type { LoadedShard } from "./ShardMap.ts"
import { returnsRows } from "./returnsRows.ts"
import { isSplitState, splitFailure } from "./Shards.ts"
import { onShardTables } from "./shardTables.ts"

const callText = "SELECT answer FROM @.on_shard($1::text, $2::bigint, $3::text, $4::text, $5::text[]) answer"
const readingCall = repeatable(callText)
const repeatableWriting = repeatableCall(callText)
const unrepeatableWriting = unrepeatable(callText)

const chooseCall = ({ repeatable: isRepeatable, reads }: Sql): SchemaSql =>
  reads ? readingCall : isRepeatable ? repeatableWriting : unrepeatableWriting

/** Values as Postgres writes an array of texts: drivers differ in how they write one. */
const formatArray = (values: ReadonlyArray<unknown>): string =>
  `{${values
    .map((value) =>
      value === null || value === undefined
        ? "NULL"
        : `"${String(value).replace(/["\\]/g, (special) => `\\${special}`)}"`,
    )
    .join(",")}}`

const parseRow = (row: Row): Row => JSON.parse(textIn(row, "answer")) as Row

/**
 * Runs statements on the tables of one shard, over a connection to any node: each is a call of a function that Citus
 * carries out on the node which holds the shard. A call that meets the shard on its way to another node is sent again.
 * One whose shard was split calls `onSplit` and rejects with `splitFailure`: nothing was carried out. After a lost answer that
 * isn't known, and it rejects as `lost`.
 */
export const shardDatabase = (
  database: Database,
  schema: SchemaName,
  shard: LoadedShard,
  onSplit: () => void,
): Database => {
  // Counted up when a session says that it has none of our prepared statements, and its setting says that it has.
  let generation = 0

  const send = async (statement: SchemaSql, values: Array<unknown>, caller?: Caller): Promise<Answer> => {
    const sql = statement(schema)
    const { text, name } = sql
    const isAnswered = returnsRows(sql)
    const { rows, repeated } = await database.run(
      chooseCall(sql),
      [
        shard.key,
        shard.id,
        `${name}_${shard.id}_${generation}`,
        // The function reads the statement's rows, and there must be such.
        onShardTables(isAnswered ? text : `${text} RETURNING 1`, schema, shard.tables),
        formatArray(values),
      ],
      caller,
    )
    return { rows: isAnswered ? rows.map(parseRow) : [], repeated }
  }

  const sendNamed = async (statement: SchemaSql, values: Array<unknown>, caller?: Caller): Promise<Answer> => {
    const sentWith = generation
    try {
      return await send(statement, values, caller)
    } catch (error) {
      if (!(error instanceof SqlFailure) || error.kind !== "unnamed") throw error
      if (generation === sentWith) generation++
      return send(statement, values, caller)
    }
  }

  const sendUnlessSplit = async (statement: SchemaSql, values: Array<unknown>, caller?: Caller): Promise<Answer> => {
    try {
      return await sendNamed(statement, values, caller)
    } catch (error) {
      if (!isSplitState(error)) throw error
      onSplit()
      throw error.kind === "lost" ? error : splitFailure()
    }
  }

  const confirm = async (): Promise<void> => {
    try {
      await sendUnlessSplit(confirmReplication, [])
    } catch (error) {
      throw afterLost(sqlFailure(error))
    }
  }

  const run: Database["run"] = async (statement, values, caller) => {
    const answer = await sendUnlessSplit(statement, values, caller)
    // As `makeDatabase` does it, but on the node that holds the shard.
    if (answer.repeated && statement(schema).writes) await confirm()
    return answer
  }

  return withReads(run)
}

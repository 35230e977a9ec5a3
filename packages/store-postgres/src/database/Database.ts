import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Connection } from "../Connection.ts"
import type { SchemaName } from "../SchemaName.ts"
import { retry } from "./retry.ts"
import { type Limits, makeSend, type Row } from "./send.ts"
import { repeatable, type Sql, type SchemaSql } from "./Sql.ts"
import { sqlFailure } from "./SqlFailure.ts"
import { storeEffect } from "./storeEffect.ts"

export type { Row } from "./send.ts"

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** An answer was lost before this one, so that an earlier sending may have done the statement's work. */
  readonly repeated: boolean
}

export interface Database {
  /** Runs a statement; rejects with a `SqlFailure`. */
  readonly run: (statement: SchemaSql, values: Array<unknown>) => Promise<Answer>
  /** The same without `repeated`. */
  readonly read: (statement: SchemaSql, values: Array<unknown>) => Promise<ReadonlyArray<Row>>
  /** The same as an Effect whose failure names the operation. */
  readonly query: (
    operation: string,
    statement: SchemaSql,
    values: Array<unknown>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
}

/**
 * Commits a record of the log that says nothing, which waits for the synchronous standby where there is one: all that was
 * committed before is there, too.
 */
export const confirmReplication = repeatable("SELECT pg_logical_emit_message(true, 'pixcharge', '')")

/** Runs statements over the host's connection. */
export const makeDatabase = (
  connection: Connection,
  schema: SchemaName,
  { answerMs = 15_000, connectMs = 15_000 }: Limits = {},
): Database => {
  const send = makeSend(connection, { answerMs, connectMs })
  let keepsNames = true

  const sendOnce = async ({ text, name }: Sql, values: Array<unknown>): Promise<ReadonlyArray<Row>> => {
    try {
      return await send(keepsNames ? { text, values, name } : { text, values })
    } catch (error) {
      const failure = sqlFailure(error)
      // pgbouncer in transaction mode gives every statement to another session, which knows none of our names.
      if (failure.kind === "unnamed") keepsNames = false
      throw failure
    }
  }

  const sendRepeatedly = (sql: Sql, values: Array<unknown>, isRepeated = false) =>
    retry(() => sendOnce(sql, values), { repeatable: sql.repeatable, forMs: answerMs, isRepeated })

  const run = async (statement: SchemaSql, values: Array<unknown>): Promise<Answer> => {
    const sql = statement(schema)
    const { answer, repeated } = await sendRepeatedly(sql, values)
    // The first sending may have committed without its standby; what changes nothing the second time doesn't wait for it.
    if (repeated && sql.writes) await sendRepeatedly(confirmReplication(schema), [], true)
    return { rows: answer, repeated }
  }

  const read: Database["read"] = async (statement, values) => (await run(statement, values)).rows
  return { run, read, query: (operation, statement, values) => storeEffect(operation, () => read(statement, values)) }
}

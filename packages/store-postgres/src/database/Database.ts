import { createHash } from "node:crypto"
import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Connection } from "../Connection.ts"
import type { SchemaName } from "../SchemaName.ts"
import { retry } from "./retry.ts"
import { type Limits, makeSend, type Row } from "./send.ts"
import { sqlFailure } from "./SqlFailure.ts"
import { storeEffect } from "./storeEffect.ts"

export type { Row } from "./send.ts"

/** One SQL statement of ours, its tables named with the schema. */
export interface Sql {
  readonly text: string
  readonly name: string
  /** It changes nothing the second time, and may be sent again after a lost answer. */
  readonly repeatable: boolean
}

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** An answer was lost before this one, so that an earlier sending may have done the statement's work. */
  readonly repeated: boolean
}

export interface Database {
  readonly schema: SchemaName
  /** Runs a statement; rejects with a `SqlFailure`. */
  readonly run: (sql: Sql, values: Array<unknown>) => Promise<Answer>
  /** The same as an Effect whose failure names the operation. */
  readonly query: (
    operation: string,
    sql: Sql,
    values: Array<unknown>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
}

/** A statement that takes effect by itself. The name is a digest of the text: equal names mean equal statements. */
export const sql = (text: string, { repeatable }: { readonly repeatable: boolean }): Sql => {
  const name = `pixcharge_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`
  return { text, name, repeatable }
}

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

  const run = async (statement: Sql, values: Array<unknown>): Promise<Answer> => {
    const { repeatable } = statement
    const { answer, repeated } = await retry(() => sendOnce(statement, values), { repeatable, forMs: answerMs })
    return { rows: answer, repeated }
  }

  return {
    schema,
    run,
    query: (operation, statement, values) => storeEffect(operation, async () => (await run(statement, values)).rows),
  }
}

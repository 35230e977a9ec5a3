import { createHash } from "node:crypto"
import { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Connection } from "../Connection.ts"
import type { SchemaName } from "../SchemaName.ts"
import { makeSend } from "./lending.ts"
import { failureOf, SqlFailure } from "./SqlFailure.ts"

/** One SQL statement of ours, its tables named with the schema. */
export interface Sql {
  readonly text: string
  readonly name: string
  /**
   * What may be done after a lost answer: a statement that changes nothing the second time is sent again, any other
   * is not, for it could answer as if somebody else had done its work.
   */
  readonly repeatable: boolean
}

/** A row as drivers give it. */
export type Row = Readonly<Record<string, unknown>>

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** The statement was sent more than once, so that an earlier sending may have done its work. */
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

/** Times a statement is sent before its failure is told: what is undone mostly succeeds at the second or third. */
const mostSendings = 6
const firstPauseMs = 20

/** For how long the database is waited for, in milliseconds. */
export interface Limits {
  /** A statement without an answer for so long is given up; it may still be carried out. */
  readonly answerMs?: number
  /** So long a pool that was given no limit of its own may take for a new connection, or for a free one. */
  readonly connectMs?: number
}

// Real timers, not Effect's Clock: a test that moves the clock by days must not time a statement out.
const pause = (ms: number) => new Promise<void>((resume) => void setTimeout(resume, ms))

const withinTime = <A>(answer: Promise<A>, ms: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `no answer from the database for ${ms / 1000} s`
      reject(new SqlFailure({ kind: "lost", code: "", message }))
    }, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const mayRepeat = ({ kind }: SqlFailure, { repeatable }: Sql): boolean =>
  kind === "undone" || kind === "unsent" || (kind === "lost" && repeatable)

/** A `pg.Pool` without this limit waits for a silent network for ever, and all who want a connection with it. */
const limitConnecting = ({ options }: Connection, ms: number): void => {
  if (options !== undefined) options.connectionTimeoutMillis ??= ms
}

/** Sends statements over the host's connection, again where that is safe. */
export const makeDatabase = (
  connection: Connection,
  schema: SchemaName,
  { answerMs = 15_000, connectMs = 15_000 }: Limits = {},
): Database => {
  let keepsNames = true
  limitConnecting(connection, connectMs)
  const query = makeSend(connection)

  const send = async (statement: Sql, values: Array<unknown>): Promise<ReadonlyArray<Row>> => {
    const { text, name } = statement
    const named = keepsNames
    try {
      const limited = { text, values, query_timeout: answerMs }
      const answer = query(named ? { ...limited, name } : limited)
      return (await withinTime(answer, answerMs)).rows as ReadonlyArray<Row>
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== "unnamed" || !named) throw failure
      // pgbouncer in transaction mode gives every statement to another session, which knows none of our names.
      keepsNames = false
      return send(statement, values)
    }
  }

  const run = async (statement: Sql, values: Array<unknown>): Promise<Answer> => {
    const until = Date.now() + answerMs
    let repeated = false
    for (let sending = 1; ; sending++) {
      try {
        return { rows: await send(statement, values), repeated }
      } catch (error) {
        const failure = failureOf(error)
        if (!mayRepeat(failure, statement) || sending >= mostSendings || Date.now() >= until) throw failure
        repeated ||= failure.kind === "lost"
        // Spread, so that what collided doesn't meet again: 20 ms to 640 ms in all over five pauses, half of it random.
        await pause(firstPauseMs * 2 ** (sending - 1) * (0.5 + Math.random()))
      }
    }
  }

  return {
    schema,
    run,
    query: (operation, statement, values) =>
      Effect.tryPromise({
        try: async () => (await run(statement, values)).rows,
        catch: (cause) => new StoreUnavailable({ operation, cause }),
      }),
  }
}

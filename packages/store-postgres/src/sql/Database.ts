import { StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import { hasTag } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { SchemaName } from "./SchemaName.ts"
import type { Connection } from "./Connection.ts"
import { reportTurns } from "./ReportTurns.ts"
import { repeatable, type SchemaSql, type Sql, type SqlValue } from "./Sql.ts"
import { isRefusedAgain, sqlFailure, SqlFailure } from "./SqlFailure.ts"
import { retry } from "./retry.ts"
import { type Limits, makeSend, type Row } from "./send.ts"

export type { Row } from "./send.ts"

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** An answer was lost before this one, so that an earlier sending may have done the statement's work. */
  readonly repeated: boolean
}

/** Who waits for an answer. */
export interface Caller {
  /** Aborted once nobody waits any more: a statement that only reads is then cancelled on the server. */
  readonly signal?: AbortSignal
  /** The company whose report the statement is: it waits for its turn. */
  readonly reportOf?: Cnpj
}

export interface Database {
  /** Runs a statement; rejects with a `SqlFailure`, or with `TooManyReports` a report for which there is no place. */
  readonly run: (statement: SchemaSql, values: Array<SqlValue>, caller?: Caller) => Promise<Answer>
  /** The same without `repeated`. */
  readonly read: (statement: SchemaSql, values: Array<SqlValue>) => Promise<ReadonlyArray<Row>>
  /** The same as an Effect whose failure names the operation. */
  readonly query: (
    operation: string,
    statement: SchemaSql,
    values: Array<SqlValue>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** The same for what people look at: a list, a count or an export of a company, which takes its turn (`ReportTurns`). */
  readonly report: (
    operation: string,
    issuer: Cnpj,
    statement: SchemaSql,
    values: Array<SqlValue>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable | TooManyReports>
}

/** A database that runs its statements by this function. */
export const withReads = (run: Database["run"]): Database => ({
  run,
  read: async (statement, values) => (await run(statement, values)).rows,
  query: (operation, statement, values) =>
    storeEffect(operation, async (signal) => (await run(statement, values, { signal })).rows),
  report: (operation, issuer, statement, values) =>
    reportEffect(operation, async (signal) => (await run(statement, values, { signal, reportOf: issuer })).rows),
})

/**
 * Commits an empty record, which waits for the synchronous standby if there is one: all that was committed before is there after it.
 */
export const confirmReplication = repeatable("SELECT pg_logical_emit_message(true, 'pixcharge', '')")

/** Runs statements over the host's connection. */
export const makeDatabase = (
  connection: Connection,
  schema: SchemaName,
  { answerMs = 15_000, connectMs = 15_000 }: Limits = {},
): Database => {
  const send = makeSend(connection, { answerMs, connectMs })
  const turns = reportTurns(connection)
  let keepsNames = true

  const sendOnce = async ({ text, name, reads }: Sql, values: Array<SqlValue>, signal?: AbortSignal) => {
    try {
      return await send(keepsNames ? { text, values, name } : { text, values }, { reads, signal })
    } catch (error) {
      const failure = sqlFailure(error)
      // pgbouncer in transaction mode gives every statement to another session, which knows none of our names.
      if (failure.kind === "unnamed") keepsNames = false
      throw failure
    }
  }

  const sendRepeatedly = (sql: Sql, values: Array<SqlValue>, isRepeated = false, signal?: AbortSignal) =>
    retry(() => sendOnce(sql, values, signal), { repeatable: sql.repeatable, forMs: answerMs, isRepeated, signal })

  const runNow = async (sql: Sql, values: Array<SqlValue>, signal?: AbortSignal): Promise<Answer> => {
    const { answer, repeated } = await sendRepeatedly(sql, values, false, signal)
    // The first sending may have committed without its standby; the second changed nothing, and so didn't wait for it.
    if (repeated && sql.writes) await sendRepeatedly(confirmReplication(schema), [], true)
    return { rows: answer, repeated }
  }

  const runInTurn = async (issuer: Cnpj, sql: Sql, values: Array<SqlValue>, signal?: AbortSignal): Promise<Answer> => {
    const end = await turns.take(issuer, signal)
    return runNow(sql, values, signal).finally(end)
  }

  return withReads((statement, values, { signal, reportOf } = {}) => {
    const sql = statement(schema)
    return reportOf === undefined ? runNow(sql, values, signal) : runInTurn(reportOf, sql, values, signal)
  })
}

/** One call that waits for its own answer; only the first answer or failure counts. */
export interface Call<A, B> {
  readonly value: A
  /** When it was made, in milliseconds of the monotonic clock. */
  readonly arrivedAt: number
  readonly answer: (answer: B) => void
  readonly fail: (cause: unknown) => void
}

/**
 * Carries calls out in one statement and answers each. Rejects with a `SqlFailure`, which counts for all that have no
 * answer yet. The lock time-out is as Postgres writes it: `200ms`.
 */
export type SendCalls<A, B> = (calls: ReadonlyArray<Call<A, B>>, lockTimeout: string) => Promise<void>

const outage = (operation: string, cause: SqlFailure): StoreUnavailable =>
  new StoreUnavailable({ operation, cause, ...(isRefusedAgain(cause) && { isRefused: true }) })

/**
 * The border between the ports' Effects and what is below them: a `SqlFailure` becomes `StoreUnavailable`, and any other
 * cause is a defect. Only the first answer or failure counts. `start` may return a function, which is called if the caller gives up.
 */
export const storeCall = <A>(
  operation: string,
  start: (answer: (answer: A) => void, fail: (cause: unknown) => void) => (() => void) | void,
): Effect.Effect<A, StoreUnavailable> =>
  Effect.callback((resume) => {
    const giveUp = start(
      (answer) => resume(Effect.succeed(answer)),
      (cause) => resume(cause instanceof SqlFailure ? Effect.fail(outage(operation, cause)) : Effect.die(cause)),
    )
    return giveUp && Effect.sync(giveUp)
  })

/** The same for a promise. If the caller gives up, the signal is aborted; a promise that ignores it continues. */
export const storeEffect = <A>(
  operation: string,
  start: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, StoreUnavailable> =>
  storeCall(operation, (answer, fail) => {
    const caller = new AbortController()
    void start(caller.signal).then(answer, fail)
    return () => caller.abort()
  })

/** The same for a report, which is refused where too many wait. */
export const reportEffect = <A>(
  operation: string,
  start: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, StoreUnavailable | TooManyReports> =>
  Effect.flatten(
    storeEffect(operation, (signal) =>
      start(signal).then(Effect.succeed, (cause: unknown) => {
        if (hasTag<TooManyReports>(cause, "TooManyReports")) return Effect.fail(cause)
        throw cause
      }),
    ),
  )

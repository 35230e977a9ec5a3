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
  /** True if an earlier sending, whose answer was lost, might have done the work. */
  readonly repeated: boolean
}

export interface Caller {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal
  /** The company whose report this is. */
  readonly reportOf?: Cnpj
}

export interface Database {
  /** Rejects with a `SqlFailure`, or with `TooManyReports` if too many reports wait. */
  readonly run: (statement: SchemaSql, values: Array<SqlValue>, caller?: Caller) => Promise<Answer>
  readonly read: (statement: SchemaSql, values: Array<SqlValue>) => Promise<ReadonlyArray<Row>>
  readonly query: (
    operation: string,
    statement: SchemaSql,
    values: Array<SqlValue>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  readonly report: (
    operation: string,
    issuer: Cnpj,
    statement: SchemaSql,
    values: Array<SqlValue>,
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable | TooManyReports>
}

export const withReads = (run: Database["run"]): Database => ({
  run,
  read: async (statement, values) => (await run(statement, values)).rows,
  query: (operation, statement, values) =>
    storeEffect(operation, async (signal) => (await run(statement, values, { signal })).rows),
  report: (operation, issuer, statement, values) =>
    reportEffect(operation, async (signal) => (await run(statement, values, { signal, reportOf: issuer })).rows),
})

/** Commits an empty record and waits for the synchronous standby, which then has all earlier commits. */
export const confirmReplication = repeatable("SELECT pg_logical_emit_message(true, 'pixcharge', '')")

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
      // pgbouncer in transaction mode can give each statement to another session, which doesn't know our statements' names.
      if (failure.kind === "unnamed") keepsNames = false
      throw failure
    }
  }

  const sendRepeatedly = (sql: Sql, values: Array<SqlValue>, isRepeated = false, signal?: AbortSignal) =>
    retry(() => sendOnce(sql, values, signal), { repeatable: sql.repeatable, forMs: answerMs, isRepeated, signal })

  const runNow = async (sql: Sql, values: Array<SqlValue>, signal?: AbortSignal): Promise<Answer> => {
    const { answer, repeated } = await sendRepeatedly(sql, values, false, signal)
    // The first sending might have committed before the standby had it. The second sending changed no row, so it didn't wait for
    // the standby.
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

/** A call that waits for its answer. Only the first answer or failure counts. */
export interface Call<A, B> {
  readonly value: A
  /** Milliseconds of the monotonic clock. */
  readonly arrivedAt: number
  readonly answer: (answer: B) => void
  readonly fail: (cause: unknown) => void
}

/**
 * Runs calls in one statement and answers each. Rejects with a `SqlFailure` for all unanswered calls. `lockTimeout` is in
 * Postgres's form: `200ms`.
 */
export type SendCalls<A, B> = (calls: ReadonlyArray<Call<A, B>>, lockTimeout: string) => Promise<void>

const outage = (operation: string, cause: SqlFailure): StoreUnavailable =>
  new StoreUnavailable({ operation, cause, ...(isRefusedAgain(cause) && { isRefused: true }) })

/**
 * Turns a callback into a port's Effect: a `SqlFailure` becomes `StoreUnavailable`, any other cause a defect. `start` can return
 * a function to call if the caller gives up.
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

export const storeEffect = <A>(
  operation: string,
  start: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, StoreUnavailable> =>
  storeCall(operation, (answer, fail) => {
    const caller = new AbortController()
    void start(caller.signal).then(answer, fail)
    return () => caller.abort()
  })

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

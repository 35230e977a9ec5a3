import { TaggedError } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"

/**
 * How a statement failed; `retry.ts` says what is done about it:
 * - `unsent`: it never reached the database, or one that only reads, as a standby does; the next connection may reach another server.
 * - `undone`: the database took it back as a whole (serialization failure, deadlock).
 * - `blocked`: it waited too long for a lock and was taken back as a whole.
 * - `badValue`: one of its values can't be stored; nothing was carried out, and without that value the rest would be.
 * - `unnamed`: the connection keeps no named statements; nothing was carried out.
 * - `refused`: the database rejects it however often it is sent; nothing was carried out.
 * - `lost`: the connection broke or no answer came; whether it was carried out is unknown.
 * - `unreplicated`: it was carried out, but its wait for the synchronous standby was cancelled: a failover may take it back.
 */
export type FailureKind = "unsent" | "undone" | "blocked" | "badValue" | "unnamed" | "refused" | "lost" | "unreplicated"

/**
 * A statement's failure, without any value of it: errors end up in logs, where payers' data must not be.
 *
 * @remedy By `kind`: check that the database is reached (`unsent`, `lost`), what holds a lock (`blocked`), rights and schema (`refused`), who cancels statements (`unreplicated`).
 * @repeat Yes, unless `kind` is `refused` or `badValue`.
 */
export class SqlFailure extends TaggedError("SqlFailure")<{
  readonly kind: FailureKind
  /** SQLSTATE, or the system's error code; empty where there is none. */
  readonly sqlState: string
  readonly message: string
}> {}

const kinds: Readonly<Record<string, FailureKind>> = {
  "40001": "undone",
  "40P01": "undone",
  "55P03": "blocked",
  "57014": "blocked",
  "26000": "unnamed",
  "42P05": "unnamed",
  "08001": "unsent",
  "08004": "unsent",
  "25006": "unsent",
  "53300": "unsent",
  "57P03": "unsent",
  EAI_AGAIN: "unsent",
  ECONNREFUSED: "unsent",
  ENOENT: "unsent",
  ENOTFOUND: "unsent",
}

const sqlState = /^[0-9A-Z]{5}$/
// node-postgres's messages when no connection became free, or none was made, in time; it gives no code.
const noConnection = new Set([
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
  "timeout expired",
])

const failureKind = (code: string, message: string): FailureKind => {
  const known = kinds[code]
  if (known !== undefined) return known
  if (noConnection.has(message)) return "unsent"
  if (!sqlState.test(code)) return "lost"
  // 22 and 23: data and constraints; 54: a value beyond the database's limits.
  if (/^(?:22|23|54)/.test(code)) return "badValue"
  // 08: connections, and every error of pgbouncer itself; 57P: the server is shutting down.
  return /^(?:08|57P)/.test(code) ? "lost" : "refused"
}

/** Whether the values themselves are refused. Other constraints (23) may hold once other rows have changed. */
export const isRefusedAgain = ({ sqlState: code }: SqlFailure): boolean => /^(?:22|54|23502|23514)/.test(code)

/** Of Postgres, of the system, of Node or of OpenSSL. */
const codeForm = /^(?:[0-9A-Z]{5}|[A-Z][A-Z0-9_]{3,60})$/

/** What node-postgres and PGlite themselves say of a connection; what a host's own wrapper says may quote a statement's values. */
const driverMessage =
  /^(?:[Cc]onnection terminated|[Tt]imeout e|[Cc]annot use a pool|Client has|Client was|SASL: |The server does not support|There was an error establishing an SSL|Query read timeout|PGlite is )/

/** A message that holds no value: the database repeats a bad value in its own, and a trigger of the host's may (P0001). */
const safeMessage = (kind: FailureKind, code: string, message: string): string => {
  if (kind === "badValue") return "a value can't be stored"
  if (code.startsWith("P0")) return "a function in the database refuses it"
  if (codeForm.test(code) || driverMessage.test(message)) return message
  return "the connection's query failed without a code"
}

const errorCode = (error: unknown): string => {
  return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
}

/** What a driver threw, as a failure without the statement's values. */
export const sqlFailure = (error: unknown): SqlFailure => {
  if (error instanceof SqlFailure) return error
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : String(error)
  const kind = failureKind(code, message)
  return new SqlFailure({ kind, sqlState: code, message: safeMessage(kind, code, message) })
}

import { TaggedError } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"

/**
 * The kind of a statement's failure:
 * - `unsent`: it never reached the database, or reached a read-only server, such as a standby; the next connection can reach
 * another server.
 * - `undone`: the database rolled it back (serialization failure, deadlock).
 * - `blocked`: it waited too long for a lock and was rolled back.
 * - `badValue`: the database can't store one of its values and changed no row; without that value it would succeed.
 * - `unnamed`: the connection keeps no named statements, and no row was changed.
 * - `refused`: the database rejects it at every attempt, and no row was changed.
 * - `lost`: the connection broke or the answer never came; the statement might have succeeded.
 * - `unreplicated`: it succeeded, but its wait for the synchronous standby was cancelled: a failover can undo it.
 */
export type FailureKind = "unsent" | "undone" | "blocked" | "badValue" | "unnamed" | "refused" | "lost" | "unreplicated"

/**
 * A statement's failure, without its values, because logs must not contain payers' data.
 *
 * @remedy By `kind`: check that the database is reached (`unsent`, `lost`), what holds a lock (`blocked`), rights and schema (`refused`), who cancels statements (`unreplicated`).
 * @repeat Yes, unless `kind` is `refused` or `badValue`.
 */
export class SqlFailure extends TaggedError("SqlFailure")<{
  readonly kind: FailureKind
  /** SQLSTATE, or the system's error code; empty without either. */
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
// Messages of node-postgres, without a code, after a wait for a connection.
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

/**
 * Whether every attempt would be refused. Constraints with other codes (23) can accept the statement once other rows have
 * changed.
 */
export const isRefusedAgain = ({ sqlState: code }: SqlFailure): boolean => /^(?:22|54|23502|23514)/.test(code)

/** A code of Postgres, the system, Node or OpenSSL. */
const codeForm = /^(?:[0-9A-Z]{5}|[A-Z][A-Z0-9_]{3,60})$/

/**
 * Connection messages of node-postgres and PGlite. Other messages aren't shown, because a host's own wrapper can quote a
 * statement's values.
 */
const driverMessage =
  /^(?:[Cc]onnection terminated|[Tt]imeout e|[Cc]annot use a pool|Client has|Client was|SASL: |The server does not support|There was an error establishing an SSL|Query read timeout|PGlite is )/

/** Omits a message that can contain values. The database quotes a bad value, and a host's trigger (P0001) can do so too. */
const safeMessage = (kind: FailureKind, code: string, message: string): string => {
  if (kind === "badValue") return "a value can't be stored"
  if (code.startsWith("P0")) return "a function in the database refuses it"
  if (codeForm.test(code) || driverMessage.test(message)) return message
  return "the connection's query failed without a code"
}

const errorCode = (error: unknown): string => {
  return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
}

export const sqlFailure = (error: unknown): SqlFailure => {
  if (error instanceof SqlFailure) return error
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : String(error)
  const kind = failureKind(code, message)
  return new SqlFailure({ kind, sqlState: code, message: safeMessage(kind, code, message) })
}

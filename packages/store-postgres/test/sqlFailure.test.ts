import { inspect } from "node:util"
import { expect, it } from "vitest"
import { isRefusedAgain, sqlFailure } from "../src/sql/SqlFailure.ts"

const canary = "Maria das Dores, 529 982 247 25"

it.each([
  ["a constraint", "23505", "badValue", "a value can't be stored"],
  ["a type", "22P02", "badValue", "a value can't be stored"],
  ["a limit", "54000", "badValue", "a value can't be stored"],
  ["a trigger of the host's", "P0001", "refused", "a function in the database refuses it"],
])("an error about %s keeps its code but no value", (_, code, kind, message) => {
  const thrown = Object.assign(new Error(canary), { code, detail: canary, where: canary, parameters: [canary] })
  const failure = sqlFailure(thrown)
  expect(failure).toMatchObject({ sqlState: code, kind, message })
  expect(sqlFailure(failure)).toBe(failure)
  expect(inspect(failure, { showHidden: true })).not.toContain("Maria")
})

it.each([
  ["undone", ["40001", "40P01"]],
  ["blocked", ["55P03", "57014"]],
  ["unnamed", ["26000", "42P05"]],
  ["unsent", ["08001", "08004", "25006", "53300", "57P03", "EAI_AGAIN", "ECONNREFUSED", "ENOENT", "ENOTFOUND"]],
  ["badValue", ["22001", "23514", "54000"]],
  ["lost", ["08006", "57P01", "ECONNRESET", "", "5700", "570011", "a5701"]],
  ["refused", ["42501", "57000", "58000", "10822"]],
])("a failure has the kind %s with any of the codes %j", (kind, codes) => {
  for (const code of codes)
    expect(sqlFailure(Object.assign(new Error("it failed"), { code })), code).toMatchObject({ kind, sqlState: code })
})

it("a value that can't be stored is refused again, but a constraint on several rows can accept it later", () => {
  const isRefused = (code: string) => isRefusedAgain(sqlFailure(Object.assign(new Error("it failed"), { code })))
  const codes = ["22021", "22P05", "22P02", "22003", "54000", "23502", "23514"]
  expect(codes.filter(isRefused)).toEqual(codes)
  expect(["23505", "23503", "40001", "08006", "42501", ""].filter(isRefused)).toEqual([])
})

it.each([
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
  "timeout expired",
])("a statement without a connection wasn't sent: %s", (message) => {
  expect(sqlFailure(new Error(message))).toMatchObject({ kind: "unsent", sqlState: "", message })
})

const genericMessage = "the connection's query failed without a code"

it.each<[unknown, string]>([
  [new Error("Connection terminated unexpectedly"), "Connection terminated unexpectedly"],
  ["Connection terminated unexpectedly", "Connection terminated unexpectedly"],
  [Object.assign(new Error("PGlite is closed"), { code: 7 }), "PGlite is closed"],
  ...[
    "connection terminated",
    "Timeout expired by the pool",
    "timeout elsewhere",
    "Cannot use a pool after calling end on the pool",
    "cannot use a pool after calling end on the pool",
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    "The server does not support SSL connections",
    "There was an error establishing an SSL connection",
    "Query read timeout",
  ].map((original): [Error, string] => [new Error(original), original]),
  [new Error("Maria's Connection terminated"), genericMessage],
  [new Error("it broke"), genericMessage],
  [null, genericMessage],
])("a failure without a code is a lost answer, and keeps only a known driver's message: %o", (thrown, message) => {
  expect(sqlFailure(thrown)).toMatchObject({ kind: "lost", sqlState: "", message })
})

it.each([
  ["42501", "permission denied for table charges", "permission denied for table charges"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "Hostname does not match", "Hostname does not match"],
  ["ECONNRESET", "read ECONNRESET", "read ECONNRESET"],
  ["425", "a wrapper's own words", genericMessage],
  ["own code", "a wrapper's own words", genericMessage],
  ["econnreset", "a wrapper's own words", genericMessage],
  [`E${"X".repeat(61)}`, "a wrapper's own words", genericMessage],
])("a message with the code %s is kept only for known codes", (code, original, message) => {
  expect(sqlFailure(Object.assign(new Error(original), { code })).message).toBe(message)
})

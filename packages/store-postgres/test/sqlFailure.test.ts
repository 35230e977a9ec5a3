import { inspect } from "node:util"
import { expect, it } from "vitest"
import { sqlFailure } from "../src/database/SqlFailure.ts"

const canary = "Maria das Dores, 529 982 247 25"

it.each([
  ["a constraint", "23505", "badValue"],
  ["a type", "22P02", "badValue"],
  ["a limit", "54000", "badValue"],
  ["a trigger of the host's", "P0001", "refused"],
])("an error about %s keeps its code and no value", (_, code, kind) => {
  const thrown = Object.assign(new Error(canary), { code, detail: canary, where: canary, parameters: [canary] })
  const failure = sqlFailure(thrown)
  expect(failure).toMatchObject({ sqlState: code, kind })
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
])("a failure is %s by its code: %j", (kind, codes) => {
  for (const code of codes)
    expect(sqlFailure(Object.assign(new Error("it failed"), { code })), code).toMatchObject({ kind, sqlState: code })
})

it.each([
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
  "timeout expired",
])("a statement for which there was no connection was not sent: %s", (message) => {
  expect(sqlFailure(new Error(message))).toMatchObject({ kind: "unsent", sqlState: "", message })
})

const ownWords = "the connection's query failed without a code"

it.each([
  [new Error("Connection terminated unexpectedly"), "Connection terminated unexpectedly"],
  ["Connection terminated unexpectedly", "Connection terminated unexpectedly"],
  [Object.assign(new Error("PGlite is closed"), { code: 7 }), "PGlite is closed"],
  [new Error("it broke"), ownWords],
  [null, ownWords],
])("a failure without a code is of a lost answer, with what a driver that we know says: %o", (thrown, message) => {
  expect(sqlFailure(thrown)).toMatchObject({ kind: "lost", sqlState: "", message })
})

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

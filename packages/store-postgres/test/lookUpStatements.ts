import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { aCnpj, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import type { Sql } from "../src/sql/Sql.ts"
import { replayDeliveries } from "../src/outbox/operations.sql.ts"
import { schemaName } from "../src/sql/SchemaName.ts"

const source = join(import.meta.dirname, "../src")
const schema = schemaName()

/** Ignores the key `(superseded_at IS NULL)`, because it isn't a column of an index. */
export const lookUpCondition = /(?<!NULL\)) = ANY \(ARRAY\[/

/** The statements of an exported value. A list has two statements. */
const statementsOf = (exported: unknown): ReadonlyArray<Sql> => {
  if (typeof exported === "object" && exported !== null) return Object.values(exported).flatMap(statementsOf)
  if (typeof exported !== "function") return []
  try {
    const made: object = exported(schema)
    return "text" in made ? [made as Sql] : []
  } catch {
    return []
  }
}

/** The statements with look-ups, by file of `src`. */
export const lookUpStatements = async (): Promise<ReadonlyMap<string, ReadonlyArray<Sql>>> => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".sql.ts") && readFileSync(join(source, file), "utf8").includes("${lookUp("),
  )
  const replay = replayDeliveries(
    aCnpj,
    { period: { from: 0, until: fixtureNow } },
    {
      now: fixtureNow,
      author: {},
    },
  )
  const statements = await Promise.all(
    files.map(async (file) => {
      const exported: object = await import(join(source, file))
      const made = file.endsWith("operations.sql.ts") ? [replay.statement(schema)] : []
      return [file, [...statementsOf(exported), ...made].filter(({ text }) => lookUpCondition.test(text))] as const
    }),
  )
  return new Map(statements)
}

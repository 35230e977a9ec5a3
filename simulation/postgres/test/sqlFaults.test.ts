import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { sqlFaults } from "../src/sqlFaults.ts"

const store = resolve(import.meta.dirname, "../../../packages/store-postgres/src")
const statements = readdirSync(store, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".sql.ts"))
  .map((file) => readFileSync(join(store, file), "utf8"))

it.each(Object.entries(sqlFaults))("the store has %s, which a fault drops", (_, { mark, changes }) => {
  const marked = statements.filter((text) => text.includes(mark))
  expect(marked).toHaveLength(1)
  for (const [from] of changes) expect(marked[0]).toContain(from)
})

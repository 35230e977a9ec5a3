import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { sqlFaults } from "../src/sqlFaults.ts"
import { unplantedLocks } from "./unplantedLocks.ts"

const store = resolve(import.meta.dirname, "../../../packages/store-postgres")
const files = readdirSync(join(store, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".sql.ts"),
)
const statements = new Map(files.map((file) => [file, readFileSync(join(store, "src", file), "utf8")]))

it.each(Object.entries(sqlFaults))("the store has %s, which a fault drops", (_, { mark, changes }) => {
  const marked = [...statements.values()].filter((text) => text.includes(mark))
  expect(marked).toHaveLength(1)
  for (const [from] of changes) expect(marked[0]).toContain(from)
})

/** How many locks of a file faults drop. */
const planted = (text: string): number =>
  Object.values(sqlFaults).filter(
    ({ mark, changes }) => text.includes(mark) && changes.some(([from]) => from.startsWith("FOR UPDATE")),
  ).length

it("every lock of the store is dropped by a fault, or listed with the reason why not and the test that holds it", () => {
  const locks = [...statements].map(([file, text]) => [file, text.match(/^ *FOR UPDATE/gm)?.length ?? 0] as const)
  const known = [...statements].map(([file, text]) => {
    const listed = unplantedLocks.filter((lock) => lock.file === file).flatMap(({ heldBy }) => heldBy)
    return [file, planted(text) + listed.length] as const
  })
  expect(known).toEqual(locks)
  const tests = ["locks.test.ts", "races.test.ts"].map((file) => readFileSync(join(store, "test", file), "utf8")).join()
  for (const title of unplantedLocks.flatMap(({ heldBy }) => heldBy)) expect(tests).toContain(`"${title}"`)
})

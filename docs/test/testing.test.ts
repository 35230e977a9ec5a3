import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readText } from "./pages.ts"

/** A rule, what it says, and when it is judged. */
const row = /^\| `(\w+)` +\| ([A-Z].*?) +\| (?:each|the end).*? +\|$/gm

it("the page on testing lists the rules of the simulation in the source's words, and no others", () => {
  const source = readFileSync(
    join(import.meta.dirname, "../../packages/testkit/src/simulation/invariants/Violation.ts"),
    "utf8",
  )
  const rules = [...source.matchAll(/\/\*\* (.+)\. \*\/\n {2}"(\w+)",/g)].map(([, says, rule]) => `${rule}: ${says}`)
  const rows = [...readText("docs/testing.md").matchAll(row)]
  const listed = rows.map(([, rule, says]) => `${rule}: ${says}`)
  expect(rules.length).toBeGreaterThan(5)
  expect(listed).toEqual(rules)
})

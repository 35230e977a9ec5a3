import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readText } from "./pages.ts"

/** A rule, what it says, when it is judged, and when on Postgres. */
const row = /^\| `(\w+)` +\| [A-Z].* +\| (?:each|the end).* +\| (?:the same|each).* +\|$/gm

it("the page on testing lists the rules of the simulation, and no others", () => {
  const source = "../../packages/testkit/src/simulation/invariants/Violation.ts"
  const [union = ""] = /export type Rule =[^]*?\n\n/.exec(readFileSync(join(import.meta.dirname, source), "utf8")) ?? []
  const rules = [...union.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, rule]) => rule)
  const listed = [...readText("docs/testing.md").matchAll(row)].map(([, rule]) => rule)
  expect(rules.length).toBeGreaterThan(5)
  expect(listed.toSorted()).toEqual(rules.toSorted())
})

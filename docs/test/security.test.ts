import { expect, it } from "vitest"
import { missingTests } from "./heldBy.ts"
import { readText } from "./pages.ts"

const rows = readText("docs/internals/attacks.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:Attack +\||-)/.test(line))
  .map((row) => {
    const [, attack = "", holds = "", heldBy = ""] = /^\| (.*?) +\| (.*?) +\| (.*?) +\|$/.exec(row) ?? []
    const [, file = "", title = ""] = /^`([^`]+)` › '(.*)'$/.exec(heldBy) ?? []
    return { attack, holds, file, title }
  })

it.each(rows)("$attack: the named proof is a test", ({ attack, holds, file, title }) => {
  expect([attack, holds, file, title]).not.toContain("")
  expect(missingTests([{ file, title }])).toEqual([])
})

it("each attack is listed once", () => {
  const attacks = rows.map(({ attack }) => attack)
  expect(attacks.length).toBeGreaterThan(40)
  expect(attacks.filter((attack, index) => attacks.indexOf(attack) !== index)).toEqual([])
})

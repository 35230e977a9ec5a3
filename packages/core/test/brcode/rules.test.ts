import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const here = new URL(".", import.meta.url)
const codeText = (path: string): string => readFileSync(new URL(path, here), "utf8")

const rules = [...codeText("../../src/model/brcode/InvalidBrCode.ts").matchAll(/^ {2}\| "(\w+)"$/gm)].map(
  ([, rule = ""]) => rule,
)

it("finds the rules in the source", () => {
  expect(rules.length).toBeGreaterThan(30)
})

it.each(rules)("docs/br-code.md explains the rule %s", (rule) => {
  expect(codeText("../../../../docs/br-code.md")).toMatch(new RegExp(`^\\|.*\`${rule}\`.*\\|`, "m"))
})

it.each(rules)("some test breaks the rule %s", (rule) => {
  const cases = readdirSync(here).filter((name) => /^(?:vectors\.json|\w+Code\w*\.test\.ts)$/.test(name))
  expect(cases.some((name) => new RegExp(`["\\s]${rule}"`).test(codeText(name)))).toBe(true)
})

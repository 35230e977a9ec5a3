import { rules } from "@pixcharge/verify/simulate/judge"
import { expect, it } from "vitest"
import { readText } from "./pages.ts"

const row = /^\| `(\w+)` +\| ([A-Z].*?) +\| (?:each|the end).*? +\|$/gm

it("the page on testing lists exactly the judge's rules, word for word", () => {
  const listed = [...readText("docs/internals/testing.md").matchAll(row)].map(([, rule, says]) => `${rule}: ${says}.`)
  expect(listed.length).toBeGreaterThan(5)
  expect(listed).toEqual(Object.entries(rules).map(([rule, says]) => `${rule}: ${says}`))
})

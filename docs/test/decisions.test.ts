import { describe, expect, it } from "vitest"
import { missingTests } from "./heldBy.ts"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

const page = readText("docs/internals/decisions.md")
const sections = page.split(/^## /m).slice(1)

const decisions = sections.map((section) => ({
  number: Number(/^\d+/.exec(section)?.[0]),
  tests: [...section.matchAll(/^- Held by: `([^`]+)` › '(.*)'$/gm)].map(([, file = "", title = ""]) => ({
    file,
    title,
  })),
}))
const numbers = decisions.map(({ number }) => number)

describe("docs/internals/decisions.md", () => {
  it("numbers its decisions from 1 without a gap", () => {
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(numbers.length).toBeGreaterThan(40)
  })

  it.each(decisions)("decision $number is held by tests that exist", ({ tests }) => {
    expect(missingTests(tests)).toEqual([])
    expect(tests.length).toBeGreaterThan(0)
  })
})

/** The numbers in "decision 7", "decisions 1 to 4 and 26" or "decisions 16, 29, 36". */
const citedIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/\bdecisions? (\d+(?:(?:, | to | and |–)\d+)*)/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/\d+/g)].map(Number),
  )

/** "docs/interface.md, Receipts" in a comment names a heading of that page. */
const headings = new Set([...readText("docs/interface.md").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading))

it("every section of the contract that code cites exists", () => {
  const cited = [...sourceFiles, ...testFiles].flatMap((file) =>
    [...readText(file).matchAll(/\(docs\/interface\.md, ([^;)]+)/g)].map(([, heading = ""]) => ({ file, heading })),
  )
  expect(cited.length).toBeGreaterThan(5)
  expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([])
})

it("every page that code cites exists", () => {
  const cites = /\bdesign §|\(interface\b/
  expect(
    [...sourceFiles, ...testFiles].filter((file) => !file.startsWith("docs/") && cites.test(readText(file))),
  ).toEqual([])
})

it("every decision that code, tests and pages cite exists", () => {
  const cited = [...sourceFiles, ...testFiles, ...pages].flatMap((file) =>
    citedIn(readText(file)).map((number) => ({ file, number })),
  )
  expect(cited.length).toBeGreaterThan(80)
  expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([])
})

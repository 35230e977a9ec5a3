import { expect, it } from "vitest"
import { nameIn, shownFigures } from "@pixcharge/verify/bench"
import { composedPages } from "./composedPages.ts"
import { pages, readText } from "./pages.ts"

/** Figures that only one page may give. Other pages link to that page. */
const figures: ReadonlyArray<readonly [name: string, figure: RegExp]> = [
  ["the longest body of a request", /\b16 KiB\b/],
  ["the longest token", /\b2 048 characters\b/],
  ["the lifetime of a token", /\b48 hours\b/],
  ["the longest lifetime of a token", /\b72 hours\b/],
  ["the largest amount", /\b9 999 999 999\.99\b/],
  ["the latest due date", /\bfive years\b/],
  ["the lifetime of an immediate charge", /\b600 seconds\b/],
  ["the time for a refund", /\b90 days (ago|after)\b|within 90 days/],
  ["the schedule of attempts", /\b14, 20 and 24 h/],
  ["the length of a callback secret", /\b24 to 64\b/],
  ["the days of the maintenance", /--days \d+/],
  ["the period of returned payments", /\b93 days\b/],
  ["the first check of a charge", /\b45 s(econds)?\b/],
  ["the age of the directory's answers", /\b5 (s|seconds) old\b|within 5 s(econds)?\b/],
  ["the cost of ten million charges", /insertions, 10,000,000 charges/],
]

/** A page without its titles of tests. A title can name a figure, because its test fails when the figure changes. */
const withoutTitles = (text: string): string => text.replaceAll(/^- Held by: .*$/gm, "")

/** Pages that repeat the service, the types or an English page. Other tests compare them. */
const repeating = new Set([
  "docs/pt-BR/erros.md",
  "docs/pt-BR/contrato.md",
  "docs/options.md",
  ...Object.keys(composedPages),
])

it.each(figures)("only one page gives %s", (_, figure) => {
  const inPages = pages.filter((page) => !repeating.has(page) && figure.test(withoutTitles(readText(page))))
  expect(inPages).toHaveLength(1)
})

const rowsIn = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  readText(page)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const measured = rowsIn("docs/internals/benchmarks.md")
const shown = shownFigures.map(([what, peer]) => {
  const [, beside = "", ratio] =
    measured.find(([name, others = ""]) => name === what && nameIn(others, peer) !== null) ?? []
  return { version: nameIn(beside, peer)?.[1], ratio }
})

it.each(["README.md", "README.pt-BR.md"])("%s shows the latest results of the benchmarks", (readme) => {
  const inReadme = rowsIn(readme)
    .filter(([, , ratio = ""]) => /^[\d.]+x$/.test(ratio))
    .map(([, beside = "", ratio], index) => ({ version: nameIn(beside, shownFigures[index]?.[1] ?? "")?.[1], ratio }))
  expect(inReadme).toEqual(shown)
  expect(inReadme.length).toBe(8)
})

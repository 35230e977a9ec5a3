import { expect, it } from "vitest"
import { type Outcome, runPage, shownIn } from "./runPage.ts"

/** What a line begins with, where it is shown with `...` at its end; or the whole line. */
const asShown = (line: string, shown = ""): string =>
  shown.endsWith("...") && line.startsWith(shown.slice(0, -3)) ? shown : line

/** Holds what a program did against what its page shows. */
const expectShown = (page: string, { exitCode, printed, complaints }: Outcome): void => {
  expect(complaints, page).toBe("")
  const shown = shownIn(page)
  expect(shown.length).toBeGreaterThan(0)
  expect(printed.map((line, at) => asShown(line, shown[at]))).toEqual(shown)
  expect(exitCode).toBe(0)
}

it.each(["README.md", "docs/first-steps.md"])("the snippets of %s run as they stand and print what it shows", async (page) => {
  expectShown(page, await runPage(page))
})

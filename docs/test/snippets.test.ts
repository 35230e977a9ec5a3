import { snippetsIn } from "@pixcharge/verify/release"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openSurroundings } from "./bankOfPage.ts"
import { maxRunMs, type Outcome, runPage, shownIn } from "./runPage.ts"

const timeout = maxRunMs + 20_000

/** A printed line in the form in which the page shows it: a final `...` in the page stands for the rest of the line. */
const asShown = (line: string, shown = ""): string =>
  shown.endsWith("...") && line.startsWith(shown.slice(0, -3)) ? shown : line

const expectShown = (page: string, { exitCode, printed, complaints }: Outcome): void => {
  const shown = shownIn(page)
  expect(shown.length).toBeGreaterThan(0)
  expect({ printed: printed.map((line, index) => asShown(line, shown[index])), complaints }).toEqual({
    printed: shown,
    complaints: "",
  })
  expect(exitCode).toBe(0)
}

// `release check` runs README's first program as users do.
it("the first steps' programs print the page's output and end", { timeout }, async () => {
  const page = "docs/first-steps.md"
  const entries = ["charge", "payment", "dueDate", "conflict", "request"]
  expect(snippetsIn(page).map(({ name }) => name)).toEqual(["pix", ...entries.slice(0, -1), "service", "request"])
  expectShown(page, await runPage(page, { entries }))
})

describe.each(["docs/recipes.md", "docs/changes.md", "docs/refunds.md", "docs/lists.md"])(
  "the programs of %s",
  (page) => {
    it("print what the page shows, and end", { timeout }, async () => {
      const entries = snippetsIn(page).map(({ name }) => name)
      expectShown(page, await runPage(page, { entries }))
    })
  },
)

it("the program of docs/events.md reserves an item by events alone", { timeout }, async () => {
  const page = "docs/events.md"
  expectShown(page, await runPage(page, { entries: ["stock"] }))
})

describe("the pages with a database", () => {
  let opened: Awaited<ReturnType<typeof openSurroundings>>

  beforeAll(async () => {
    opened = await openSurroundings()
  }, timeout)
  afterAll(() => opened.close())

  it("lead from a bank's credentials to a payment, its return and the books", { timeout }, async () => {
    const page = "docs/first-real-payment.md"
    expectShown(page, await runPage(page, opened.surroundings("E")))
    expect(await opened.bank.show()).toMatchObject({
      notices: expect.arrayContaining([expect.objectContaining({ status: 200 })]),
    })
    expect(opened.diagnoses.at(-1)).toMatch(/^ok +bank of 12345678000195 .*\nok +webhook of 12345678000195 /m)
  })

  it("lead from a first payment to a service with key rings, a health route and a shutdown", { timeout }, async () => {
    const page = "docs/production.md"
    const apart = ["register", "review"]
    expectShown(page, await runPage(page, { ...opened.surroundings("0 dead letters"), apart }))
    expect(opened.diagnoses.at(-1)).toMatch(/^ok +webhook of 12345678000195 /m)
  })

  it("let a host in Effect share one pool with the store", { timeout }, async () => {
    const page = "docs/hosts/effect.md"
    expectShown(page, await runPage(page, { ...opened.surroundings("no line"), entries: ["pool"] }))
  })

  it("let one code pay for a month and authorise the following months", { timeout }, async () => {
    const page = "docs/recurring.md"
    const heard: Array<string> = []
    let shown = ""
    const onLine = async (line: string, signal: () => void): Promise<void> => {
      if (!line.startsWith("open ")) heard.push(line)
      if (heard.length === 2) signal()
      if (heard.length > 0) return
      shown = await (await fetch(line.replace("open ", ""))).text()
      await opened.bank.command("pay")
    }
    const run = runPage(page, {
      ...opened.surroundings(""),
      entries: ["shop"],
      onLine: (line, signal) => void onLine(line, signal),
    })
    expect(await run).toMatchObject({ exitCode: 0, complaints: "" })
    expect(shown).toContain("Pagar e autorizar")
    expect(heard.toSorted()).toEqual([expect.stringMatching(/^approved [\da-f-]{36}$/), "paid 4990"])
  })
})

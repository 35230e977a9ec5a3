import { describe, expect, it } from "vitest"
import { composedPages } from "./composedPages.ts"
import { readText } from "./pages.ts"

const block = /^```.*?^```$/gms

/** A code block without its comments, which are the same in each language. */
const withoutComments = (code: string): string => code.replaceAll(/^ *(?:\/\/ |\/\*\* ).*\n/gm, "")

const blocksIn = (page: string): ReadonlyArray<string> =>
  [...readText(page).matchAll(block)].map(([text]) => withoutComments(text))

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

/** The code and the numbers in a page's prose, without blocks, links, generated tables and list numbers. */
const factsIn = (text: string): ReadonlyArray<string> => {
  const prose = text
    .replaceAll(block, "")
    .replaceAll(/<!-- (\w+):begin -->.*?<!-- \1:end -->/gs, "")
    .replaceAll(/^(?:#+ )?\d+\. /gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]")
  return [...new Set(inOneLine(prose).match(/`[^`]+`|\d+/g))]
}

/** The code and numbers of a Portuguese text that the English text doesn't contain. */
const unknownFacts = (portuguese: string, english: string): ReadonlyArray<string> => {
  const known = inOneLine(english)
  const numbers = new Set(known.match(/\d+/g))
  return factsIn(portuguese).filter((fact) =>
    fact.startsWith("`") ? !known.includes(fact.slice(1, -1)) : !numbers.has(fact),
  )
}

const readAll = (pages: ReadonlyArray<string>): string => pages.map(readText).join("\n")

describe.each(Object.entries(composedPages))("%s", (page, sources) => {
  it("has the code of its English pages, except for comments", () => {
    const english = new Set(sources.flatMap(blocksIn))
    expect(blocksIn(page).filter((code) => !english.has(code))).toEqual([])
  })

  it("names only code and numbers that its English pages name", () => {
    expect(factsIn(readText(page)).length).toBeGreaterThan(15)
    expect(unknownFacts(readText(page), readAll(sources))).toEqual([])
  })
})

/** The sections of a page by their headings. */
const sectionsIn = (page: string): ReadonlyMap<string, string> =>
  new Map(
    readText(page)
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n"))]),
  )

describe("docs/pt-BR/opcoes.md", () => {
  const english = [...sectionsIn("docs/options.md").values()].map((text) =>
    [...text.matchAll(/^- `(\w+\??)(.*)$/gm)].map(([, name = "", rest = ""]) => ({ name, rest })),
  )
  const portuguese = [...sectionsIn("docs/pt-BR/opcoes.md").values()].map((text) =>
    [...text.matchAll(/^\| `(\w+\??)` +(\|.*)$/gm)].map(([, name = "", rest = ""]) => ({ name, rest })),
  )

  it("has exactly the options of each chapter of docs/options.md", () => {
    expect(english.length).toBeGreaterThan(15)
    const namesIn = (chapters: typeof english) => chapters.map((rows) => rows.map(({ name }) => name))
    expect(namesIn(portuguese)).toEqual(namesIn(english))
  })

  it("gives for each option only numbers that docs/options.md gives for it", () => {
    const wrong = portuguese.flatMap((rows, chapter) =>
      rows.flatMap(({ name, rest }, index) => {
        const known: ReadonlyArray<string> = english[chapter]?.[index]?.rest.match(/\d+/g) ?? []
        return (rest.match(/\d+/g) ?? []).filter((number) => !known.includes(number)).map((number) => [name, number])
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe("docs/pt-BR/bancos.md", () => {
  /** The sections of a page about banks, without the first, which is about all banks. */
  const banksIn = (page: string) =>
    [...sectionsIn(page)].slice(1).map(([heading, text]) => ({ bank: heading.split(",")[0], text }))
  const english = banksIn("docs/banks.md")
  const portuguese = banksIn("docs/pt-BR/bancos.md")

  it("has a section for each bank of docs/banks.md", () => {
    expect(english.length).toBeGreaterThan(10)
    expect(portuguese.map(({ bank }) => bank)).toEqual(english.map(({ bank }) => bank))
  })

  it.each(portuguese)("says of $bank only what docs/banks.md says of it", ({ bank, text }) => {
    expect(unknownFacts(text, english.find((one) => one.bank === bank)?.text ?? "")).toEqual([])
  })

  it("names the refused banks with their reasons", () => {
    const [, table = ""] = /<!-- refused:begin -->(.*?)<!-- refused:end -->/s.exec(readText("docs/api-pix.md")) ?? []
    const refused = [...table.matchAll(/^\| `"(\w+)"` +\| (.*)$/gm)].map(([, name = "", reason = ""]) => ({
      name,
      hasOwnApi: reason.includes("an API of its own"),
    }))
    const listed = [
      ...readText("docs/pt-BR/bancos.md").matchAll(/^- (Não publicam|Têm uma API própria)[^:]*:([^.]*)\./gm),
    ]
    expect(listed.length).toBe(2)
    const named = listed.flatMap(([, reason = "", names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ name, hasOwnApi: reason.startsWith("Têm") })),
    )
    const inOrder = (rows: typeof refused) => rows.toSorted((one, other) => one.name.localeCompare(other.name))
    expect(inOrder(named)).toEqual(inOrder(refused))
  })
})

import { describe, expect, it } from "vitest"
import { readText, sourceFiles } from "./pages.ts"

const rows = readText("docs/pt-BR/erros.md")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  )

const rowsWith = (first: RegExp, cells: number): ReadonlyArray<ReadonlyArray<string>> =>
  rows.filter((row) => row.length === cells && first.test(row[0] ?? ""))

/** True for the packages that hosts use in production. */
const isOfHosts = (file: string): boolean => /^packages\/(?!simulated-bank|adapter-tests)/.test(file)

const errorClass = /^export class (\w+) extends (?:Data\.TaggedError|TaggedError|CausedError)\(/m

const classTexts = new Map(
  sourceFiles
    .filter(isOfHosts)
    .flatMap((file) => readText(file).split(/^(?=\/\*\*)/m))
    .flatMap((text) => {
      const name = errorClass.exec(text)?.[1]
      return name === undefined ? [] : [[name, text] as const]
    }),
)

/**
 * True if a text names a field or option. A name that is a plain word counts only in backticks, because prose can
 * contain the word.
 */
const isNamed = (field: string, text: string): boolean =>
  new RegExp(/[A-Z]/.test(field) ? `\\b${field}\\b` : `\\b${field}(?:\`|:| ?})`).test(text)

describe("docs/pt-BR/erros.md", () => {
  it("gives a remedy for each failure of the wire", () => {
    const listed = rowsWith(/^[45]\d\d$/, 4)
    expect(listed).not.toEqual([])
    expect(listed.filter(([, , , remedy = ""]) => remedy.length < 10)).toEqual([])
  })

  it("explains every error class with a remedy, and names no other class", () => {
    const listed = rowsWith(/^(?!Classe)[A-Z][A-Za-z]+$/, 3)
    expect(classTexts.size).toBeGreaterThan(50)
    expect(listed.map(([name]) => name).toSorted()).toEqual([...classTexts.keys()].toSorted())
    expect(listed.filter(([, meaning = "", remedy = ""]) => meaning.length < 10 || remedy.length < 10)).toEqual([])
  })

  it("names the fields and options that the classes name", () => {
    const unknown = readText("docs/pt-BR/erros.md")
      .split("\n")
      .flatMap((line) => {
        const [, name = ""] = /^\| `([A-Z]\w+)` /.exec(line) ?? []
        const text = classTexts.get(name)
        if (text === undefined) return []
        return [...line.matchAll(/`([a-z][A-Za-z]+)`/g)]
          .filter(([, field = ""]) => !isNamed(field, text))
          .map(([, field = ""]) => `${name}: ${field}`)
      })
    expect(unknown).toEqual([])
  })
})

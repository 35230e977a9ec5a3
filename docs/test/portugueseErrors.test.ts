import { describe, expect, it } from "vitest"
import { readText, sourceFiles } from "./pages.ts"

/** The rows of the page's tables, as cells without marks. */
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

/** Tests' own packages are none that a host meets. */
const isOfHosts = (file: string): boolean => /^packages\/(?!simulated-bank|testkit)/.test(file)

const errorClass = /^export class (\w+) extends (?:Data\.TaggedError|TaggedError|CausedError)\(/gm

describe("docs/pt-BR/erros.md", () => {
  it("says what to do about each failure of the wire", () => {
    const listed = rowsWith(/^[45]\d\d$/, 4)
    expect(listed).not.toEqual([])
    expect(listed.filter(([, , , remedy = ""]) => remedy.length < 10)).toEqual([])
  })

  it("says of every error class what it means and what to do, and names no other", () => {
    const classes = sourceFiles
      .filter(isOfHosts)
      .flatMap((file) => [...readText(file).matchAll(errorClass)].map(([, name = ""]) => name))
    const listed = rowsWith(/^(?!Classe)[A-Z][A-Za-z]+$/, 3)
    expect(classes.length).toBeGreaterThan(50)
    expect(listed.map(([name]) => name).toSorted()).toEqual([...new Set(classes)].toSorted())
    expect(listed.filter(([, meaning = "", remedy = ""]) => meaning.length < 10 || remedy.length < 10)).toEqual([])
  })
})

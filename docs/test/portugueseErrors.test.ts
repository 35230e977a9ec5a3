import { describe, expect, it } from "vitest"
import { fieldRules } from "../../packages/http/src/wire/messages.ts"
import { readText, sourceFiles } from "./pages.ts"
import { wireFailures } from "./wireFailures.ts"

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
const isOfHosts = (file: string): boolean =>
  /^packages\/(?!bench|mutation|simulated-bank|test-postgres|testkit)/.test(file)

const errorClass = /^export class (\w+) extends (?:Data\.TaggedError|TaggedError|CausedError)\(/gm

describe("docs/pt-BR/erros.md", () => {
  it("has each failure of the wire with its code and sentence, and what to do", () => {
    const listed = rowsWith(/^[45]\d\d$/, 4)
    const ofFields = "400 dados-invalidos A regra do campo, veja abaixo"
    expect(listed.map(([status, code, text]) => `${status} ${code} ${text}`).toSorted()).toEqual(
      [...wireFailures, ofFields].toSorted(),
    )
    expect(listed.filter(([, , , remedy = ""]) => remedy.length < 10)).toEqual([])
  })

  it("has the rule of every field", () => {
    const listed = rowsWith(/^(o corpo|formaPagamento|cliente)/, 2).map(([field, rule]) => [
      field === "o corpo" ? "" : field,
      rule,
    ])
    expect(Object.fromEntries(listed)).toEqual(fieldRules)
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

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import {
  chargeFailures,
  dueDateOutOfRange,
  exchangeFailures,
  type Failure,
  fieldRules,
  notEligible,
  operationFailures,
} from "../src/wire/messages.ts"

/** Every failure except invalid fields, as `status code text`. */
const wireFailures: ReadonlyArray<string> = [
  ...new Set(
    [
      ...Object.values<Failure>(exchangeFailures),
      ...Object.values<Failure>(chargeFailures),
      ...Object.values<Failure>(operationFailures),
      notEligible(["companyWallet"]),
      dueDateOutOfRange("2026-11-20", "2031-11-20"),
    ].map(({ status, code, text }) => `${status} ${code} ${text}`),
  ),
]

/** The cells of the page's table rows whose first cell matches, without code marks. */
const readRows = (page: string, first: RegExp): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    )
    .filter(([cell = ""]) => first.test(cell))

describe.each([
  { page: "interface.md", ofFields: "The rule of the field, see below", body: "the body" },
  { page: "pt-BR/contrato.md", ofFields: "A regra do campo, veja abaixo", body: "o corpo" },
  { page: "pt-BR/erros.md", ofFields: "A regra do campo, veja abaixo", body: "o corpo" },
])("docs/$page", ({ page, ofFields, body }) => {
  it("lists exactly the contract's failures with code and sentence", () => {
    const listed = readRows(page, /^[45]\d\d$/).map(([status, code, text]) => `${status} ${code} ${text}`)
    expect(listed.toSorted()).toEqual([...wireFailures, `400 dados-invalidos ${ofFields}`].toSorted())
  })

  it("lists the rule of every field", () => {
    const listed = readRows(page, /^(the body|o corpo|formaPagamento|cliente)/).filter(({ length }) => length === 2)
    expect(Object.fromEntries(listed.map(([field, rule]) => [field === body ? "" : field, rule]))).toEqual(fieldRules)
  })
})

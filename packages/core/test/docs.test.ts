import { readdirSync, readFileSync } from "node:fs"
import * as brcode from "@pixcharge/core/brcode"
import * as calendar from "@pixcharge/core/calendar"
import * as charge from "@pixcharge/core/charges"
import * as money from "@pixcharge/core/money"
import * as party from "@pixcharge/core/party"
import * as plain from "@pixcharge/core/plain"
import * as recurrence from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const modules: Record<string, object> = {
  "@pixcharge/core/brcode": brcode,
  "@pixcharge/core/calendar": calendar,
  "@pixcharge/core/charges": charge,
  "@pixcharge/core/money": money,
  "@pixcharge/core/party": party,
  "@pixcharge/core/plain": plain,
  "@pixcharge/core/recurrence": recurrence,
  "effect/Result": Result,
}

interface Example {
  readonly line: number
  readonly code: string
}

const examplesIn = (page: string): ReadonlyArray<Example> =>
  [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => ({
    line: page.slice(0, match.index).split("\n").length,
    code: match[1] ?? "",
  }))

/**
 * Turns an example's TypeScript into JavaScript: rewrites imports, and removes casts and the types of single parameters.
 * `expression // => value` becomes a check.
 */
const runnable = (code: string): string =>
  code
    .replaceAll(/^import \* as (\w+) from ("[^"]+")$/gm, "const $1 = modules[$2]")
    .replaceAll(/^import (\{[^}]+\}) from ("[^"]+")$/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(/\btype \w+,?/g, "").replaceAll(/ as /g, ": ")} = modules[${from}]`
    })
    .replaceAll(/\((\w+): \w+\) =>/g, "($1) =>")
    .replaceAll(/ as (?:[A-Z]\w+|const)/g, "")
    .replaceAll(/^(.+?) \/\/ => (.+)$/gm, "check($1, $2)")

const checksIn = (code: string): number => [...code.matchAll(/ \/\/ => /g)].length

const folder = new URL("../../../docs/", import.meta.url)
const readPage = (name: string): string => readFileSync(new URL(name, folder), "utf8")

const runExample = (code: string): void => {
  let checked = 0
  const check = (actual: unknown, expected: unknown) => {
    expect(actual).toEqual(expected)
    checked++
  }
  // oxlint-disable-next-line no-new-func -- the text is this repository's own
  new Function("modules", "check", `"use strict"\n${runnable(code)}`)(modules, check)
  expect(checked).toBe(checksIn(code))
}

/** Pages about the core's rules, whose examples state their results. */
const pages = readdirSync(folder).filter((name) => name.endsWith(".md") && checksIn(readPage(name)) > 0)

it("runs the examples of the page about due dates", () => {
  expect(pages).toContain("due-dates.md")
})

describe.each(pages)("docs/%s", (name) => {
  const examples = examplesIn(readPage(name))

  it("has examples that each state a result", () => {
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.filter(({ code }) => checksIn(code) === 0)).toEqual([])
  })

  it.each(examples)("gives the stated results at line $line", ({ code }) => runExample(code))
})

const source = new URL("../src/", import.meta.url)
const sources = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(new URL(name, source), "utf8"))

describe("examples in docblocks", () => {
  const examples = sources
    .flatMap((text) => [...text.matchAll(/@example\n((?: \*.*\n)+?) \*\//g)])
    .flatMap(([, lines = ""]) => examplesIn(lines.replaceAll(/^ \* ?/gm, "")))
    .filter(({ code }) => checksIn(code) > 0)

  it("cover the most used functions", () => {
    expect(examples.length).toBeGreaterThan(20)
  })

  it.each(examples)("$code", ({ code }) => runExample(code))
})

describe("docs/operations/monitoring.md", () => {
  const code = sources.join("\n")
  const named = (form: RegExp) => [...new Set([...code.matchAll(form)].map(([, name = ""]) => name))].toSorted()
  /** A row can list `pix.charge.issue` and `.find` with the same beginning. */
  const listed = [...readPage("operations/monitoring.md").matchAll(/^\| `(pix[^`]+)`((?:, `\.\w+`)*)/gm)].flatMap(
    ([, name = "", others = ""]) => [
      name,
      ...[...others.matchAll(/`\.(\w+)`/g)].map(([, other = ""]) => name.replace(/\w+$/, other)),
    ],
  )

  it("lists exactly the code's metrics and spans", () => {
    const metrics = named(/Metric\.\w+\("(\w+)"/g)
    const spans = named(/(?:useSafeSpan|safeSpan|tracedCall)\("([\w.]+)"/g)
    expect(metrics).toContain("pix_reconciler_checks")
    expect(spans).toContain("pix.charge.reconcile")
    expect(listed.toSorted()).toEqual([...metrics, ...spans].toSorted())
  })
})

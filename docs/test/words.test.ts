import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

const glossary = readText("docs/internals/glossary.md")

const rowsBelow = (heading: string): ReadonlyArray<ReadonlyArray<string>> =>
  (glossary.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))

const inBackticks = (cell = ""): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)

const avoided = (where: string) =>
  rowsBelow("Words to avoid").flatMap(([, words, places = "", instead = ""]) =>
    places.includes(where) ? inBackticks(words).map((word) => ({ word, instead })) : [],
  )
const terms = rowsBelow("Terms").flatMap(([, instead = "", , words]) =>
  inBackticks(words).map((word) => ({ word, instead })),
)

/** Splits a name into words: `maxRestMs` becomes `max_rest_ms_`. */
const splitName = (name: string): string => `${name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_")}_`.toLowerCase()
const refusedNames = [...terms, ...avoided("names")].map(({ word, instead }) => ({
  pattern: new RegExp(`(?:^|_)${splitName(word)}`),
  instead,
}))
const findNameFlaw = (name: string): string | undefined => {
  const words = splitName(name)
  return refusedNames.find(({ pattern }) => pattern.test(words))?.instead
}

type Node = { readonly type: string; readonly name?: string; readonly start: number } & Readonly<
  Record<string, unknown>
>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value
const declaring =
  /Function|^(AssignmentPattern|VariableDeclarator|TS\w+Declaration|TS(Property|Method)Signature|(Property|Method)Definition|Class\w+)$/

const findNames = (node: unknown): ReadonlyArray<Node> => {
  if (Array.isArray(node)) return node.flatMap(findNames)
  if (!isNode(node)) return []
  const declared = declaring.test(node.type) ? [node["id"], node["key"], node["left"], node["params"]].flat() : []
  const names = declared.filter((one): one is Node => isNode(one) && one.type === "Identifier")
  return [...names, ...Object.values(node).flatMap(findNames)]
}

const findLine = (text: string, start: number): number => text.slice(0, start).split("\n").length

/** A released migration never changes. */
const code = [...sourceFiles, ...testFiles].filter((path) => !path.includes("/schema/0001/"))
const pagesInEnglish = pages.filter((page) => page !== "docs/internals/glossary.md")

describe("the words that the glossary refuses", () => {
  it("aren't in any name that the code declares", () => {
    const flaws = code
      .filter((path) => !/\/test\//.test(path))
      .flatMap((path) => {
        const text = readText(path)
        return findNames(parseAst(text, { lang: "ts" }, path)).flatMap(({ name = "", start }) => {
          const instead = findNameFlaw(name)
          return instead === undefined ? [] : [`${path}:${findLine(text, start)} ${name}: ${instead}`]
        })
      })
    expect(refusedNames.length).toBeGreaterThan(20)
    expect(flaws.join("\n")).toBe("")
  })

  it("aren't in any sentence", () => {
    const words = avoided("prose")
    const pattern = new RegExp(`\\b(${words.map(({ word }) => word.replace(" ", "[\\s*/]+")).join("|")})\\b`, "gi")
    const flaws = [...pagesInEnglish, ...code].flatMap((path) => {
      const text = readText(path)
      return [...text.matchAll(pattern)].map(({ 0: word, index }) => `${path}:${findLine(text, index)} ${word}`)
    })
    expect(flaws.join("\n")).toBe("")
  })
})

it("`at` names a time, never an index", () => {
  const asIndex =
    /\[at, \w+\] of|\.(?:map|flatMap|filter|forEach|some|every|find\w*)\(\((?:[^()]|\([^()]*\))*, at\) =>/g
  const flaws = code.flatMap((path) => {
    const text = readText(path)
    return [...text.matchAll(asIndex)].map(({ index }) => `${path}:${findLine(text, index)}`)
  })
  expect(flaws).toEqual([])
})

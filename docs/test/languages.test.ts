import { describe, expect, it } from "vitest"
import { translations } from "../../site/navigation.ts"
import { composedPages } from "./composedPages.ts"
import { pages, readText } from "./pages.ts"

/** Portuguese pages that aren't compared here, because each has its own test. */
const withoutTwin = ["docs/pt-BR/erros.md", ...Object.keys(composedPages)]

/** The minimum number of code blocks, if it isn't 4. */
const minBlocks: Readonly<Record<string, number>> = {
  "docs/pt-BR/recorrencias.md": 2,
  "docs/pt-BR/eventos.md": 4,
  "docs/pt-BR/contrato.md": 22,
}

/** The pages in both languages, README first, with the minimum number of code blocks. */
const pairs = Object.entries(translations)
  .filter(([, portuguese]) => !withoutTwin.includes(portuguese))
  .map(([english, portuguese]) => [english, portuguese, minBlocks[portuguese] ?? 4] as const)

const block = /^```.*?^```$/gms

const blocksIn = (page: string): ReadonlyArray<string> => [...readText(page).matchAll(block)].map(([text]) => text)

const withoutCode = (page: string): string => readText(page).replaceAll(block, "```")

/** A page's structure in order: headings with their level, blocks, images, table rows and list items. */
const outlineIn = (page: string): ReadonlyArray<string> =>
  withoutCode(page)
    .split("\n")
    .flatMap((line) => /^(?:#+ |```|!\[|\| |- \[ \] |\d+\. )/.exec(line)?.[0].trim() ?? [])

const codeInRows = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  withoutCode(page)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.match(/`[^`]+`/g) ?? [])

/** The code and numbers in each section, which are the same in every language. */
const factsBySection = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  withoutCode(page)
    .replaceAll(/```|\]\([^)]*\)/g, "")
    .split(/^#+ .*$/m)
    .map((section) => [...new Set(section.replaceAll(/\s+/g, " ").match(/`[^`]+`|\d+/g))].toSorted())

const headingsIn = (page: string): ReadonlyArray<string> => outlineIn(page).filter((part) => part.startsWith("#"))

describe.each(pairs)("%s and %s", (english, portuguese, least) => {
  it("have the same headings", () => {
    expect(headingsIn(portuguese)).toEqual(headingsIn(english))
    expect(headingsIn(english).length).toBeGreaterThan(5)
  })

  it("have the same blocks of code, byte by byte", () => {
    expect(blocksIn(portuguese)).toEqual(blocksIn(english))
    expect(blocksIn(english).length).toBeGreaterThanOrEqual(least)
  })
})

// The READMEs link to different pages and list the packages for different readers.
it.each(pairs.slice(1))("%s and %s have tables, lists and blocks in the same places", (english, portuguese) => {
  expect(outlineIn(portuguese)).toEqual(outlineIn(english))
})

it.each(pairs.slice(1))("%s and %s name the same code in each row of their tables", (english, portuguese) => {
  expect(codeInRows(portuguese)).toEqual(codeInRows(english))
})

it.each(pairs.slice(1))("%s and %s name the same code and numbers in each section", (english, portuguese) => {
  expect(factsBySection(portuguese)).toEqual(factsBySection(english))
})

it("every Portuguese page has an English original or its own test", () => {
  const inPortuguese = pages.filter((page) => /pt-BR/.test(page))
  expect(inPortuguese.toSorted()).toEqual([...pairs.map(([, page]) => page), ...withoutTwin].toSorted())
})

/** Phrases that are translated word by word. The glossary has the words of a bank's app instead. */
const calques =
  /\banel\b|\banéis\b|selagem|\bselad[oa]s?\b|dinheiro se mov|conta é necessária|\blivros\b|beneficiári|chave de integrador/gi

it("pages in Portuguese use the glossary's words and no translated phrases", () => {
  const found = pages
    .filter((page) => /pt-BR/.test(page))
    .flatMap((page) => (withoutCode(page).match(calques) ?? []).map((words) => `${page}: ${words}`))
  expect(found).toEqual([])
})

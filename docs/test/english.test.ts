import { parseSync } from "rolldown/utils"
import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

/**
 * Phrases that make a text read as translated. `peers` is the highest count per 10 000 words in the comments of Effect, Hono,
 * oidc-provider, pg-boss and graphile-worker.
 */
const phrases = [
  {
    name: "what, as a noun",
    peers: 5,
    pattern: /(?:^|[.;:]\s+|\b(?:of|by|to|from|with|than|about|in|for|on)\s)what\b/gim,
  },
  { name: "of which", peers: 5, pattern: /\b(?:of|for|to|by|in|on|from|with) which\b/gi },
  { name: "one that, that of", peers: 2, pattern: /\b(?:one that|none that|that of|those of|those that)\b/gi },
  { name: ", for (because)", peers: 2, pattern: /, for (?!example|instance)\w+/gi },
  { name: "nobody, nothing, none", peers: 12, pattern: /\b(?:nobody|nothing|none|everybody|anybody)\b/gi },
  {
    name: "words with -ever",
    peers: 2,
    pattern: /\b(?:(?:what|who|which)ever|however (?:long|often|many|much))\b/gi,
  },
  { name: "so that", peers: 5, pattern: /\bso that\b/gi },
  { name: "is to be", peers: 1, pattern: /\b(?:is|are|was|were) to be\b/gi },
  { name: "may", peers: 20, pattern: /\bmay\b/gi },
] as const

/** A comment, a string of code or a page, with the line on which it begins. */
interface Passage {
  readonly path: string
  readonly line: number
  readonly text: string
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ")
const withoutExamples = (text: string): string => text.replace(/```.*?```/gs, blank)

const readComments = (path: string) => {
  const text = readText(path)
  const { comments, errors } = parseSync(path, text, { lang: "ts" })
  if (errors.length > 0) throw new Error(`${path} doesn't parse`)
  return { text, comments: comments.filter(({ value }) => !/^\s*(?:oxlint-|@ts-|[@#]__PURE__)/.test(value)) }
}

const passagesOf = (path: string): Record<"comments" | "strings", ReadonlyArray<Passage>> => {
  const { text, comments } = readComments(path)
  const place = (start: number, passage: string) => ({
    path,
    line: text.slice(0, start).split("\n").length,
    text: passage,
  })
  const code = comments.reduce(
    (rest, { start, end }) => rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end),
    text,
  )
  const strings = [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)].filter(
    ([string]) => /(?:[a-z]+ ){3}/i.test(string) && !/\b(?:SELECT|INSERT|UPDATE|CREATE|WHERE|FROM)\b|=>/.test(string),
  )
  return {
    comments: comments.map(({ start, value }) => place(start, withoutExamples(value).replaceAll("*", " "))),
    strings: strings.map(({ 0: string, index }) => place(index, string.slice(1, -1))),
  }
}

/** Not written by hand. */
const isGenerated = (path: string): boolean => /(?:assets|openApiText)\.ts$/.test(path)
const isProduct = (path: string): boolean => /^packages\/(?!adapter-tests|simulated-bank)/.test(path)
const product = sourceFiles.filter((path) => isProduct(path) && !isGenerated(path)).map(passagesOf)
const isTest = (path: string): boolean => path.includes("/test/")
const tests = testFiles.filter(isTest).map(passagesOf)
const machinery = [...sourceFiles, ...testFiles].filter((path) => !isProduct(path) && !isTest(path)).map(passagesOf)
const english = pages.filter((page) => !/pt-BR|CHANGELOG/.test(page))

/** The kinds of text, with their limits: words, and occurrences of each phrase. Occurrences can only fall. */
const kinds = [
  {
    name: "the product's comments",
    passages: product.flatMap(({ comments }) => comments),
    words: 67_100,
    counts: [1, 3, 1, 2, 11, 0, 1, 0, 15],
  },
  {
    name: "its messages",
    passages: product.flatMap(({ strings }) => strings),
    words: 20_000,
    counts: [2, 0, 0, 2, 12, 0, 1, 0, 10],
  },
  {
    name: "comments of tests",
    passages: tests.flatMap(({ comments }) => comments),
    words: 20_000,
    counts: [0, 3, 0, 1, 5, 0, 2, 0, 4],
  },
  {
    name: "comments of the suites, the examples and the machinery that verifies",
    passages: machinery.flatMap(({ comments }) => comments),
    words: 32_000,
    counts: [3, 8, 2, 3, 24, 0, 3, 0, 10],
  },
  {
    name: "titles and messages of tests",
    passages: [...tests, ...machinery].flatMap(({ strings }) => strings),
    words: 100_000,
    counts: [4, 17, 8, 11, 75, 4, 9, 4, 9],
  },
  {
    name: "pages",
    passages: english.map((path) => ({ path, line: 1, text: withoutExamples(readText(path)) })),
    words: 120_000,
    counts: [5, 24, 6, 16, 40, 4, 3, 0, 10],
  },
]

const countWords = (passages: ReadonlyArray<Passage>): number =>
  passages.reduce((sum, { text }) => sum + (text.match(/[A-Za-z']+/g)?.length ?? 0), 0)

describe.each(kinds)("$name", ({ passages, words, counts }) => {
  it("has few words", () => {
    expect(countWords(passages)).toBeLessThanOrEqual(words)
    // Fewer would mean that the test no longer finds the texts.
    expect(countWords(passages)).toBeGreaterThan(words / 2)
  })

  it.each(phrases.map((phrase, index) => ({ ...phrase, most: counts[index] ?? 0 })))(
    "says $name no more often than the peers",
    ({ pattern, peers, most }) => {
      const found = passages.flatMap(({ path, line, text }) =>
        [...text.matchAll(pattern)].map(({ index }) => {
          const before = text.slice(0, index)
          return `${path}:${line + before.split("\n").length - 1} ${text.slice(Math.max(0, index - 40), index + 40).replace(/\s+/g, " ")}`
        }),
      )
      const bound = Math.min(most, Math.floor((peers * countWords(passages)) / 10_000))
      expect(found.length > bound ? [`${found.length} of at most ${bound}`, ...found] : []).toEqual([])
    },
  )
})

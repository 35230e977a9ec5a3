import { checkedPages, fragments, snippetFiles, snippetsIn } from "@pixcharge/verify/release"
import { describe, expect, it } from "vitest"
import { pages, readText } from "./pages.ts"

// `release check` compiles `snippetFiles` as one program against the packed packages.

/** The first lines of all blocks of TypeScript, with any kind of fence. */
const fencesIn = (page: string): ReadonlyArray<string> =>
  readText(page).match(/^[ \t>]*[`~]{3,} *(?:[cm]?tsx?|typescript)\b.*$/gim) ?? []

/**
 * True if the block names a file of a host's project. `tsc -b` compiles that file, and `hosts.test.ts` compares the
 * block with it. The Portuguese page repeats the English block.
 */
const isOfHost = (page: string, fence: string): boolean =>
  /^docs\/(?:hosts\/(?!README)|pt-BR\/hosts)/.test(page) && /^```tsx? \S+\.tsx?$/.test(fence)

it("every TypeScript block is a type-checked snippet or a file of a host's project", () => {
  const withCode = pages.filter((page) => fencesIn(page).some((fence) => !isOfHost(page, fence)))
  expect(withCode.length).toBeGreaterThan(40)
  for (const page of withCode) {
    const fences = fencesIn(page).filter((fence) => !isOfHost(page, fence))
    expect(checkedPages).toContain(page)
    expect(fences, page).toEqual(snippetsIn(page).map(() => "```ts"))
  }
})

it("no snippet silences the compiler", () => {
  const silent = /@ts-|: any\b|as any\b|as never\b/
  expect(checkedPages.filter((page) => snippetFiles(page).some(({ code }) => silent.test(code)))).toEqual([])
})

it("the snippets of a page have different file names", () => {
  for (const page of checkedPages) {
    const names = snippetFiles(page).map(({ name }) => name)
    expect(new Set(names).size, page).toBe(names.length)
  }
})

describe("the snippets that are fragments", () => {
  const all = Object.entries(fragments).flatMap(([page, around]) =>
    Object.entries(around).map(([beginning, program]) => ({ page, beginning, program })),
  )

  it("are only these, because all other snippets have their imports", () => {
    expect(all.map(({ page, beginning }) => `${page}: ${beginning.trim()}`)).toEqual([
      "docs/api-pix.md: identity:",
      "docs/api-pix.md: isForeignTxid:",
      "docs/api-pix.md: const mountedAt",
      "docs/api-pix.md: const charge",
      "docs/api-pix.md: const found",
      "docs/pt-BR/api-pix.md: identity:",
      "docs/pt-BR/api-pix.md: isForeignTxid:",
      "docs/pt-BR/api-pix.md: const mountedAt",
      "docs/pt-BR/api-pix.md: const charge",
      "docs/pt-BR/api-pix.md: const found",
      "docs/scaling.md: await pix.directory.putCompany",
    ])
  })

  it.each(all)("$beginning of $page is a fragment of a whole program", ({ page, beginning, program }) => {
    const [fragment, ...others] = snippetsIn(page).filter(({ code }) => code.startsWith(beginning))
    expect(others).toEqual([])
    expect(fragment?.code).not.toMatch(/^import /m)
    const { code } = snippetFiles(page).find(({ name }) => name === fragment?.name) ?? {}
    expect(code).toBe(program.split("…").join(fragment?.code))
    expect(code).toMatch(/^import /m)
  })
})

import { describe, expect, it } from "vitest"
import { navigation, translations } from "../../site/navigation.ts"
import {
  groupPages,
  linkFrom,
  llmsFullText,
  llmsText,
  pagesOf,
  routeOf,
  sidebarOf,
  sitePages,
} from "../../site/pages.ts"
import { pages } from "./pages.ts"

const english = sitePages.filter((page) => !page.includes("pt-BR"))
const shown = navigation.flatMap(groupPages)

describe("the navigation of the site", () => {
  it("has each page exactly once (site/navigation.ts)", () => {
    expect(english).toEqual(expect.arrayContaining(pages.filter((page) => /^docs\/(?!pt-BR)/.test(page))))
    expect(english.filter((page) => !shown.includes(page))).toEqual([])
    expect(shown.filter((page, index) => shown.indexOf(page) !== index)).toEqual([])
  })

  it("names only pages and folders that exist", () => {
    const entries = navigation.flatMap((group) => group.entries)
    expect(entries.length).toBeGreaterThan(20)
    expect(entries.filter((entry) => pagesOf(entry).length === 0)).toEqual([])
  })

  it("knows the English page for every page in Portuguese", () => {
    expect(Object.values(translations).toSorted()).toEqual(
      sitePages.filter((page) => page.includes("pt-BR")).toSorted(),
    )
    expect(Object.keys(translations).filter((page) => !shown.includes(page))).toEqual([])
  })

  it("leads in Portuguese to the translations, and marks the other pages", () => {
    const links = JSON.stringify(sidebarOf("portuguese"))
    expect(links).toContain('{"text":"Primeiros passos","link":"/pt-BR/primeiros-passos.md"}')
    expect(links).toMatch(/The portal<\/span> <small title=\\"em inglês\\">EN<\/small>","link":"\/portal.md"/)
  })
})

it("each page of the site has a distinct path", () => {
  const routes = sitePages.map((page) => routeOf(page).toLowerCase())
  expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
})

describe("a link of a page leads in the site", () => {
  it.each([
    ["README.md", "docs/first-steps.md#install", "./first-steps.md#install"],
    ["docs/pt-BR/eventos.md", "../api-pix.md", "./../api-pix.md"],
    ["docs/faq.md", "../packages/testing/README.md", "./packages/testing.md"],
    ["packages/core/README.md", "https://github.com/pixcharge/pixcharge/blob/main/docs/rules.md", "./../rules.md"],
    ["docs/faq.md", "https://example.com", "https://example.com"],
    ["docs/faq.md", "../knip.json", "https://github.com/pixcharge/pixcharge/blob/main/knip.json"],
    ["docs/faq.md", "../examples/", "https://github.com/pixcharge/pixcharge/tree/main/examples"],
    ["docs/faq.md", "missing.md", undefined],
  ])("from %s by %s to %s", (page, link, expected) => {
    expect(linkFrom(page, link)).toBe(expected)
  })
})

describe("the texts for language models", () => {
  it("is llms.txt, with a title, a summary, and a line for each page in its section", () => {
    const [head = "", ...sections] = llmsText().split(/^## .+\n\n/m)
    expect(head).toMatch(/^# pixcharge\n\n> .+\n\n$/)
    expect(sections).toHaveLength(navigation.filter(({ isInternal }) => isInternal !== true).length + 2)
    const lines = sections.flatMap((section) => section.trim().split("\n"))
    const routes = lines.map((line) => /^- \[[^\]]+\]\(([^)]+)\): .+$/.exec(line)?.[1] ?? line)
    expect(routes.toSorted()).toEqual(sitePages.map(routeOf).toSorted())
  })

  it("is llms-full.txt, with every page for users and none of the internals", () => {
    const routes = [...llmsFullText().matchAll(/^<!-- (\S+\.md) -->$/gm)].map(([, route]) => route)
    const forUsers = navigation.filter(({ isInternal }) => isInternal !== true).flatMap(groupPages)
    expect(routes).toEqual(forUsers.map(routeOf))
    expect(routes).not.toContain("internals/decisions.md")
  })
})

import { existsSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { anchorOf } from "../../site/pages.ts"
import { pages, readText, root } from "./pages.ts"

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, "")

/** The anchors of a page's headings. The anchors of repeated headings are numbered. */
const anchorsIn = (page: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ""] of withoutCode(readText(page)).matchAll(/^#{1,6} (.+)$/gm)) {
    const base = anchorOf(heading)
    let name = base
    for (let again = 1; anchors.has(name); again++) name = `${base}-${again}`
    anchors.add(name)
  }
  return anchors
}

/** The absolute links of package pages, which are also read on npm and in `node_modules`. */
const repository = /^https:\/\/github\.com\/pixcharge\/pixcharge\/(?:blob|tree)\/main\//

const targetOf = (page: string, path: string): string => {
  if (path === "") return page
  return repository.test(path) ? path.replace(repository, "") : normalize(join(dirname(page), path))
}

/** Why a link is broken; undefined if it isn't. */
const flawIn = (page: string, link: string): string | undefined => {
  const [path = "", fragment] = link.split("#", 2)
  const target = targetOf(page, path)
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`
  if (fragment === undefined || !target.endsWith(".md")) return undefined
  return anchorsIn(target).has(fragment) ? undefined : `${link}: ${target} has no heading for it`
}

const linksIn = (page: string): ReadonlyArray<string> =>
  [...withoutCode(readText(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => repository.test(link) || !/^(https?|mailto):/.test(link))

describe("links within the repository", () => {
  it("are checked in README and the other pages that people read first", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "CONTRIBUTING.md", "docs/internals/architecture.md"]))
    expect(linksIn("README.md").length).toBeGreaterThan(5)
  })

  it.each(pages)("of %s lead to existing files and headings", (page) => {
    expect(linksIn(page).flatMap((link) => flawIn(page, link) ?? [])).toEqual([])
  })

  it("lead from the README to every page of docs", () => {
    const reached = new Set(["README.md"])
    for (const page of reached) {
      for (const link of linksIn(page)) {
        const target = targetOf(page, link.split("#", 1)[0] ?? "")
        if (target.endsWith(".md")) reached.add(target)
      }
    }
    expect(pages.filter((page) => page.startsWith("docs/") && !reached.has(page))).toEqual([])
  })
})

it("CONTRIBUTING names only existing files", () => {
  const [, table = ""] = /## Where to change what\n(.*?)\n## /s.exec(readText("CONTRIBUTING.md")) ?? []
  const named = [...table.matchAll(/`([\w@./-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path)
  expect(named.length).toBeGreaterThan(40)
  const missing = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "packages", path)))
  expect(missing).toEqual([])
})

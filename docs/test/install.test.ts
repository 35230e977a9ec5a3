import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** The packages have this version until the first release is made: the one place that says whether they are published. */
const isPublished = (JSON.parse(read("packages/core/package.json")) as { version: string }).version !== "0.0.0"

/** What stands before a line that installs packages of ours as long as no registry has them. */
const notes = {
  english:
    "Nothing is published yet: in a clone, `npx -y pnpm@12 run tarballs` with these names packs the packages, and prints what to run in\nplace of the line below.\n\n",
  portuguese:
    "Nada foi publicado ainda: num clone, `npx -y pnpm@12 run tarballs` com estes nomes empacota os pacotes e imprime o que rodar no\nlugar da linha abaixo.\n\n",
}

const install = /^```sh\nnpm (?:i|install) [^`]*@pixcharge\//gm

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((page) => page !== "" && read(page).search(install) >= 0)

describe("what is to be run while nothing is published (rewrite it by pnpm exports)", () => {
  it("is said on many pages", () => {
    expect(pages.length).toBeGreaterThan(25)
  })

  it.each(pages)("is said before each line of %s that installs", async (page) => {
    const note = page.includes("pt-BR") ? notes.portuguese : notes.english
    const bare = read(page).replaceAll(note, "")
    const expected = isPublished ? bare : bare.replaceAll(install, (line) => note + line)
    await expect(expected).toMatchFileSnapshot(join(root, page))
  })
})

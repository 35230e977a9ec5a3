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
    "The packages aren't published yet. In a clone, run `npx -y pnpm@12 run tarballs` with the names below: it packs the packages and\nprints the command to run instead.\n\n",
  portuguese:
    "Os pacotes ainda não foram publicados. Em um clone, rode `npx -y pnpm@12 run tarballs` com os nomes abaixo: o comando empacota e\nimprime a linha a rodar no lugar desta.\n\n",
}

const install = /^```sh\nnpm (?:i|install) [^`]*@pixcharge\//gm

/** What stands before a line that has npx run a command of ours. */
const npxNotes = {
  english:
    "The package isn't published yet. In a clone, run `npx -y pnpm@12 run tarballs` with its name and follow the printed lines; then\n`npx` finds the command.\n\n",
  portuguese:
    "O pacote ainda não foi publicado. Em um clone, rode `npx -y pnpm@12 run tarballs` com o nome dele e siga as linhas impressas;\ndepois disso o `npx` acha o comando.\n\n",
}

/** In a step of a list it is indented. */
const npx = /^( *)```sh\n *npx (?:-p )?@pixcharge\//gm

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((page) => page !== "" && [install, npx].some((line) => read(page).search(line) >= 0))

describe("what is to be run while nothing is published (rewrite it by pnpm exports)", () => {
  it("is said on many pages", () => {
    expect(pages.length).toBeGreaterThan(25)
  })

  it.each(pages)("is said before each line of %s that installs, or has npx run a command", async (page) => {
    const language = page.includes("pt-BR") ? "portuguese" : "english"
    const [note, npxNote] = [notes[language], npxNotes[language]]
    const bare = [note, npxNote, indent(npxNote, "   ")].reduce((text, said) => text.replaceAll(said, ""), read(page))
    const noted = bare
      .replaceAll(install, (line) => note + line)
      .replaceAll(npx, (line, by: string) => indent(npxNote, by) + line)
    const expected = isPublished ? bare : noted
    await expect(expected).toMatchFileSnapshot(join(root, page))
  })
})

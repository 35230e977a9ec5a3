import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** True once the packages have a version other than 0.0.0, which they have until the first release. */
const isPublished = (JSON.parse(read("packages/core/package.json")) as { version: string }).version !== "0.0.0"

/** The note before each line that installs our packages, until they are published. */
const notes = {
  english:
    "The packages aren't published yet. In a clone, run `npx -y pnpm@12 run tarballs` with the names below: it packs the packages and\nprints the command to run instead.\n\n",
  portuguese:
    "Os pacotes ainda não foram publicados. Em um clone, rode `npx -y pnpm@12 run tarballs` com os nomes abaixo: o comando empacota e\nimprime a linha a rodar no lugar desta.\n\n",
}

const install = /^```sh\nnpm (?:i|install) [^`]*@pixcharge\//gm

/** The note before each line that runs one of our commands by npx. */
const npxNotes = {
  english:
    "The package isn't published yet. In a clone, run `npx -y pnpm@12 run tarballs` with its name and follow the printed lines; then\n`npx` finds the command.\n\n",
  portuguese:
    "O pacote ainda não foi publicado. Em um clone, rode `npx -y pnpm@12 run tarballs` com o nome dele e siga as linhas impressas;\ndepois disso o `npx` acha o comando.\n\n",
}

/** Such a line can be indented, in a list. */
const npx = /^( *)```sh\n *npx (?:-p )?@pixcharge\//gm

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((page) => page !== "" && [install, npx].some((line) => read(page).search(line) >= 0))

describe("commands while no package is published (rewrite it by pnpm exports)", () => {
  it("are found on many pages", () => {
    expect(pages.length).toBeGreaterThan(25)
  })

  it.each(pages)("have a note before each install or npx line of %s", async (page) => {
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

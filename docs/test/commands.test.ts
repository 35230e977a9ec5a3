import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

/** A command of ours, as somebody is told to run it: not named with its package, npx would fetch anybody's. */
const unnamed = /\bnpx (?!-p @pixcharge\/|@pixcharge\/cli )(?:-\S+ )*(?:@pixcharge\/\S+ )?pixcharge(?:-\w+)?\b/

/** The shell code of a page, of each quotation only what bash still reads in it. */
const shellCode = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, code = ""]) =>
    code.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, (quoted) => (/^".*!/.test(quoted) ? "!" : "quoted")).split("\n"),
  )

/** Pasted into zsh, it is no comment, or it is a pattern that must match a file; or into bash, a line of the history. */
const misread = /(?:^|\s)#|[?*[!]/

describe("what a page has to paste means the same in bash and in zsh", () => {
  it.each(["npx tsc -b # types", "# types", "curl localhost/?page=1", "ls *.ts", "curl localhost/[1]", 'echo "now!"'])(
    "%s would be noticed",
    (line) => {
      expect(shellCode(`\`\`\`sh\n${line}\n\`\`\`\n`).filter((code) => misread.test(code))).toHaveLength(1)
    },
  )

  it("in every page", () => {
    const lines = pages.flatMap((page) => shellCode(readText(page)).map((line) => `${page}: ${line}`))
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter((line) => misread.test(line))).toEqual([])
  })
})

describe("a command of ours is run by npx with its package's name", () => {
  it.each(["npx pixcharge doctor", "npx pixcharge-postgres migrate", "npx -y pixcharge-postgres"])(
    "%s would be noticed",
    (command) => {
      expect(command).toMatch(unnamed)
    },
  )

  it.each(["npx -p @pixcharge/store-postgres pixcharge-postgres migrate", "npx @pixcharge/cli doctor"])(
    "%s is right",
    (command) => {
      expect(command).not.toMatch(unnamed)
    },
  )

  it("in every page, message and test", () => {
    const files = [...pages, ...sourceFiles, ...testFiles].filter((file) => !file.endsWith("commands.test.ts"))
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter((file) => unnamed.test(readText(file)))).toEqual([])
  })
})

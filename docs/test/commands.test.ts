import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

/** One of our commands without its package's name: npx would fetch a stranger's package. */
const unnamed = /\bnpx (?!-p @pixcharge\/|@pixcharge\/cli )(?:-\S+ )*(?:@pixcharge\/\S+ )?pixcharge(?:-\w+)?\b/

/** A page's shell code, without the quotations that bash leaves alone. */
const shellCode = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, code = ""]) =>
    code.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, (quoted) => (/^".*!/.test(quoted) ? "!" : "quoted")).split("\n"),
  )

/** zsh takes this for a pattern that must match a file, not for a comment; bash expands it from the history. */
const misread = /(?:^|\s)#|[?*[!]/

describe("shell code means the same in bash and in zsh", () => {
  it.each(["npx tsc -b # types", "# types", "curl localhost/?page=1", "ls *.ts", "curl localhost/[1]", 'echo "now!"'])(
    "notices %s",
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

describe("npx runs our commands by their package's name", () => {
  it.each(["npx pixcharge doctor", "npx pixcharge-postgres migrate", "npx -y pixcharge-postgres"])(
    "notices %s",
    (command) => {
      expect(command).toMatch(unnamed)
    },
  )

  it.each(["npx -p @pixcharge/store-postgres pixcharge-postgres migrate", "npx @pixcharge/cli doctor"])(
    "accepts %s",
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

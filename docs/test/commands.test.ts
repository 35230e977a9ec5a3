import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

/** A call of our command without its package's name: npx would fetch a stranger's package. */
const unnamed = /\bnpx (?!-p @pixcharge\/|@pixcharge\/cli )(?:-\S+ )*(?:@pixcharge\/\S+ )?pixcharge(?:-\w+)?\b/

/** The lines of a page's shell code, with each quotation that bash leaves unchanged replaced. */
const shellCode = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, code = ""]) =>
    code.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, (quoted) => (/^".*!/.test(quoted) ? "!" : "quoted")).split("\n"),
  )

/**
 * Characters that shells read differently: zsh doesn't take `#` for a comment and lets patterns fail without a file,
 * bash expands `!` from the history, and both read a file for `<name>`.
 */
const misread = /(?:^|\s)#|[?*[!]|<\w/

describe("shell code has the same meaning in bash and in zsh", () => {
  it.each([
    "npx tsc -b # types",
    "# types",
    "curl localhost/?page=1",
    "ls *.ts",
    "curl localhost/[1]",
    'echo "now!"',
    "npx pnpm@<n>",
  ])("notices %s", (line) => {
    expect(shellCode(`\`\`\`sh\n${line}\n\`\`\`\n`).filter((code) => misread.test(code))).toHaveLength(1)
  })

  it("in every page", () => {
    const lines = pages.flatMap((page) => shellCode(readText(page)).map((line) => `${page}: ${line}`))
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter((line) => misread.test(line))).toEqual([])
  })
})

describe("npx gets the package's name for each of our commands", () => {
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

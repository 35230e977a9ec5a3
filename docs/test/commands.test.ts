import { describe, expect, it } from "vitest"
import { pages, readText, sourceFiles, testFiles } from "./pages.ts"

/** A command of ours, as somebody is told to run it: not named with its package, npx would fetch anybody's. */
const unnamed = /\bnpx (?!-p @pixcharge\/)(?:-\S+ )*(?:@pixcharge\/\S+ )?pixcharge(?:-\w+)?\b/

describe("a command of ours is run by npx with its package's name", () => {
  it.each(["npx pixcharge doctor", "npx pixcharge-postgres migrate", "npx -y pixcharge-postgres"])(
    "%s would be noticed",
    (command) => {
      expect(command).toMatch(unnamed)
    },
  )

  it.each(["npx -p @pixcharge/store-postgres pixcharge-postgres migrate", "npx -p @pixcharge/embed pixcharge doctor"])(
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

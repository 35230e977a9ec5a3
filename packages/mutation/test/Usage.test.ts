import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { Usage } from "../src/Usage.ts"

it("a source keeps its numbers when tests change, so that what was learned of them holds", () => {
  const root = mkdtempSync(join(tmpdir(), "pixcharge-usage-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const source = "packages/b/src/b.ts"
  const numbers = () => {
    const { tops, functions } = new Usage(root).placesOf(source)
    return [...tops, ...functions].map(({ number }) => number)
  }
  write("packages/a/test/a.test.ts", "const one = () => 1\n")
  write(source, "export const b = () => 2\n")
  const before = numbers()
  expect(before).toHaveLength(2)
  write("packages/a/test/a.test.ts", "const one = () => 1\nconst two = () => 2\n")
  expect(numbers()).toEqual(before)
})

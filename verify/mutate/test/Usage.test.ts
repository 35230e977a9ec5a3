import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { Usage } from "../Usage.ts"

const workspace = () => {
  const root = mkdtempSync(join(tmpdir(), "pixcharge-usage-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return { root, write }
}

it("what a function imports when it is called is used by it", () => {
  const { root, write } = workspace()
  write("packages/a/src/text.ts", 'export const text = "a"\n')
  write("packages/a/src/a.ts", 'export const load = () => import("./text.ts")\n')
  const usage = new Usage(root)
  const [text] = usage.placesOf("packages/a/src/text.ts").tops
  const [load] = usage.placesOf("packages/a/src/a.ts").functions
  const { functions } = usage.usersOf([text?.number ?? 0], () => [])
  expect([...functions]).toEqual([load?.number])
})

it("a source keeps its numbers when tests change, so that what was learned of them holds", () => {
  const { root, write } = workspace()
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

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { assetModules } from "../../release/assetModules.ts"
import { root } from "../../world/root.ts"

const made = await assetModules()

describe("the assets of each package", () => {
  it.each(made)("$path matches its sources (pnpm assets writes it)", ({ path, text }) => {
    expect(existsSync(path) ? readFileSync(path, "utf8") : "there is none").toBe(text)
  })

  it("all have a source", () => {
    const files = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src/assets.ts"))
    expect(files.filter((file) => existsSync(file))).toEqual(made.map(({ path }) => path))
  })

  it("load no files from other origins and don't contain the folder in which they were built", () => {
    const foreign = /(?:url\(|import\(?\s*|from\s*|fetch\()["']?https?:/
    expect(made.filter(({ text }) => foreign.test(text) || text.includes(root))).toEqual([])
  })
})

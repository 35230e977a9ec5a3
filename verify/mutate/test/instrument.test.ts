import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { instrument } from "../instrument.ts"
import { findSites } from "../Site.ts"
import { parseSource } from "../Source.ts"
import { root } from "../../world/root.ts"

it("a source is still one with all faults in it that can be planted", { tags: ["long"] }, () => {
  const sites = findSites(root, ["core", "http", "store-postgres", "callback-fetch"])
  const files = [...new Set(sites.map(({ file }) => file))]
  for (const file of files) {
    const switches = sites
      .filter((site) => site.file === file)
      .map(({ fault }, index) => ({ number: index + 1, fault }))
    const code = instrument(file, readFileSync(join(root, file), "utf8"), switches, { tops: [], functions: [] })
    expect(() => parseSource(file, code)).not.toThrow()
  }
})

import { cpSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { install } from "../install.ts"
import { makeDependencies } from "./findVersion.ts"

interface Part {
  readonly part: string
  readonly needs: ReadonlyArray<string>
  readonly brings: ReadonlyArray<string>
  readonly tests?: string
}

export const parts: ReadonlyArray<Part> = [
  { part: "@pixcharge/simulated-bank", needs: [], brings: ["core"] },
  {
    part: "@pixcharge/testing",
    needs: [],
    brings: ["callback-fetch", "core", "embed", "http", "processor-sandbox", "store-memory"],
    tests: "verify/hosts/testing/node",
  },
  { part: "@pixcharge/adapter-tests/fixtures", needs: [], brings: ["core"] },
  { part: "@pixcharge/adapter-tests/suites", needs: ["vitest"], brings: ["core"] },
  {
    part: "@pixcharge/adapter-tests/conformance",
    needs: ["vitest", ...["embed", "http", "processor-sandbox", "store-memory"].map((name) => `@pixcharge/${name}`)],
    brings: ["core", "embed", "http", "processor-sandbox", "store-memory"],
  },
]

const importPart = (folder: string, { part, needs }: Part): Promise<string> => {
  const line = `const { length } = Object.keys(await import(${JSON.stringify(part)}))`
  if (!needs.includes("vitest")) return run("node", ["--input-type=module", "--eval", line], folder)
  const test = `import { expect, it } from "vitest"\n${line}\nit("loads", () => expect(length).toBeGreaterThan(0))\n`
  writeFileSync(join(folder, "loads.test.js"), test)
  return run("node_modules/.bin/vitest", ["run"], folder)
}

/** Runs the tests of a part's users on `node:test`, which waits until each process ends by itself. */
const runTests = async (folder: string, tests: string): Promise<void> => {
  cpSync(join(root, tests), join(folder, "tests"), { recursive: true })
  const files = readdirSync(join(folder, "tests")).map((file) => join("tests", file))
  await run("node", ["--test", ...files], folder)
}

/** Installs a part alone. It must load, bring exactly its dependencies, and pass its users' tests. */
export const checkPart = async (folder: string, one: Part, tarballs: Readonly<Record<string, string>>) => {
  const { part, needs, brings, tests } = one
  const name = part.split("/").slice(0, 2).join("/")
  await install(folder, makeDependencies(["effect", name, ...needs], tarballs), tarballs)
  const installed = readdirSync(join(folder, "node_modules/.pnpm"))
  const expected = new Set([...brings.map((own) => `@pixcharge/${own}`), name, ...needs])
  for (const other of [...Object.keys(tarballs), "vitest"]) {
    const isInstalled = installed.some((entry) => entry.startsWith(`${other.replace("/", "+")}@`))
    if (isInstalled === expected.has(other)) continue
    throw new Error(`installing ${part} alone ${isInstalled ? "brings" : "doesn't bring"} ${other}`)
  }
  await importPart(folder, one)
  if (tests !== undefined) await runTests(folder, tests)
}

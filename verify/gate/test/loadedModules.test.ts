import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { packageSources } from "../../world/packageSources.ts"
import { root } from "../../world/root.ts"

const packages = join(root, "packages")
const importLine = /(?:from|import)\s+"([^"]+)"/g

/** Every module that the entries load, also from outside the repository. Imports of types don't count. */
const findLoaded = (...entries: ReadonlyArray<string>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const code = readFileSync(file, "utf8")
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/import type [\s\S]*?from "[^"]+"/g, "")
    for (const [, name = ""] of code.matchAll(importLine)) {
      if (name.startsWith(".")) visit(join(dirname(file), name))
      else if (name.startsWith("@pixcharge/")) visit(packageSources.get(name) ?? name)
      else seen.add(name)
    }
  }
  for (const entry of entries) visit(join(packages, entry))
  return seen
}

it.each(["http", "express", "fastify", "hono", "embed"].map((name) => `${name}/src/index.ts`))(
  "%s loads no HTTP router of Effect and no document of the contract",
  (entry) => {
    const loaded = [...findLoaded(entry)]
    expect(loaded.length).toBeGreaterThan(3)
    expect(loaded.filter((name) => /^effect\/http|\/contract\//.test(name))).toEqual([])
  },
)

const findOutside = (...entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...findLoaded(...entries)].filter((name) => !name.startsWith("/")).toSorted()

const isModuleOfEffect = (name: string): boolean => /^effect\/(encoding\/)?[A-Z]\w+$/.test(name)

const hashing = ["@noble/hashes/sha2.js", "@noble/hashes/utils.js"]

it("the core loads no module of a platform, so it runs on every runtime", () => {
  expect(findOutside("core/src/index.ts").filter((name) => !isModuleOfEffect(name))).toEqual(hashing)
})

const bindings = ["express", "fastify", "hono"]

it.each(bindings)("%s loads the code of the wire, and no engine", (name) => {
  const isExpected = new RegExp(`^node:|^http/src/|^${name}(/src/|$)`)
  const loaded = [...findLoaded(`${name}/src/index.ts`)].map((file) => file.replace(`${packages}/`, ""))
  expect(loaded.filter((file) => !isExpected.test(file)).toSorted()).toEqual([
    "core/src/internal/exchange.ts",
    "core/src/runtime/error.ts",
    "core/src/runtime/exchange.ts",
    "core/src/runtime/options.ts",
    "effect/Data",
  ])
})

/** The modules of Effect that the entries load, also through other modules of Effect. */
const findOfEffect = (...entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const named = findOutside(...entries).filter(isModuleOfEffect)
  return [...findLoaded(...named.map((name) => `${name.replace("effect", "../verify/node_modules/effect/dist")}.js`))]
}

const readmePackages = ["embed", "store-memory", "processor-sandbox", "callback-fetch"]

it("a host loads Effect's Schema only with an adapter of a bank", () => {
  const hosts = [...readmePackages, ...bindings, "checkout", "portal", "store-postgres", "store-citus", "testing"]
  const isSchema = (file: string): boolean => file.endsWith("/dist/Schema.js")
  expect(findOfEffect(...hosts.map((name) => `${name}/src/index.ts`)).filter(isSchema)).toEqual([])
  expect(findOfEffect("processor-api-pix/src/index.ts").filter(isSchema)).toHaveLength(1)
})

it("docs/packages.md has the number and size of Effect's modules that README's packages load", () => {
  const files = findOfEffect(...readmePackages.map((name) => `${name}/src/index.ts`))
  const mb = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  const page = readFileSync(join(root, "docs/packages.md"), "utf8").replaceAll(/\s+/g, " ")
  expect(page).toContain(`load ${files.length} of the 572 modules of effect 4.1.0, ${mb.toFixed(1)} MB.`)
})

// The index of jose would load every algorithm.
it("README's first snippet loads only the modules of other packages that it needs, and no index", () => {
  const outside = findOutside(...readmePackages.map((name) => `${name}/src/index.ts`)).filter(
    (name) => !name.startsWith("node:") && !isModuleOfEffect(name),
  )
  expect(outside).toEqual([...hashing, "ipaddr.js", "jose/jwt/sign", "jose/jwt/verify"])
})

it.each(["brcode", "money", "party"])(
  "@pixcharge/core/%s loads at most Data and Result from other packages",
  (subpath) => {
    expect(findOutside(`core/src/model/${subpath}/index.ts`)).toEqual(["effect/Data", "effect/Result"])
  },
)

it("the rules with plain values load only the packages that the branded rules load", () => {
  expect(findOutside("core/src/plain/index.ts")).toEqual([...hashing, "effect/Data", "effect/Result"])
})

it("the codecs load no module of a platform, and only their importers and bank adapters load them", () => {
  expect(findOutside("core/src/schema/index.ts").filter((name) => !isModuleOfEffect(name))).toEqual(hashing)
  const others = ["core", "embed", "http", "store-memory", "store-postgres", "checkout", "testing"]
  const loaded = others.flatMap((name) => [...findLoaded(`${name}/src/index.ts`)])
  expect(loaded.filter((name) => name.startsWith(join(packages, "core/src/schema/")))).toEqual([])
})

it("the hosts' test exports load no test runner and no module for adapter authors", () => {
  const loaded = [...findLoaded("testing/src/index.ts")].map((name) => name.replace(`${packages}/`, ""))
  expect(loaded).toContain("callback-fetch/src/receiver/index.ts")
  const needless = /^(adapter-tests|simulated-bank|store-postgres|processor-api-pix|express|hono)\/|\/contract\//
  const runners = /^(vitest|fast-check|node:test|@jest\/.*)$/
  expect(loaded.filter((name) => needless.test(name) || runners.test(name))).toEqual([])
})

it("the simulated bank in a test loads no code of its command's certificates", () => {
  expect(findOutside("simulated-bank/src/bin/pixcharge-bank.ts")).toContain("@peculiar/x509")
  expect(findOutside("simulated-bank/src/index.ts")).not.toContain("@peculiar/x509")
})

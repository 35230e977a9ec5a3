import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { NotRun } from "./gate/notRun.ts"

const root = import.meta.dirname
const isLong = process.env["LONG"] !== undefined

/** Tests read the source of every workspace package, so that no build can be stale. */
const alias = [
  { find: /^@pixcharge\/([^/]+)$/, replacement: `${root}/packages/$1/src/index.ts` },
  { find: /^@pixcharge\/([^/]+)\/([^/]+)$/, replacement: `${root}/packages/$1/src/$2/index.ts` },
  { find: /^#conformance\/(.+)$/, replacement: `${root}/packages/testkit/src/conformance/$1.ts` },
  { find: /^#simulation\/(.+)$/, replacement: `${root}/packages/testkit/src/simulation/$1.ts` },
]

/** The only ways for a test not to run, each with its reason, under which such tests are listed. */
const tags = [
  { name: "long", description: "only the long runs do (pnpm test:long)", skip: !isLong },
  {
    name: "upgrade",
    description: "only pnpm test:upgrade packs another release",
    skip: process.env["OLDER_HOST"] === undefined,
  },
  {
    name: "officialSchemas",
    description: "API_PIX_OPENAPI names no file (the central bank's openapi.yaml of API Pix 2.9.0)",
    skip: process.env["API_PIX_OPENAPI"] === undefined,
  },
  {
    name: "otherUser",
    description: "only root can act for another user of the machine",
    skip: process.geteuid?.() !== 0,
  },
  {
    name: "containers",
    description: "this machine lets nobody make a PID namespace (unshare --pid)",
    skip: spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status !== 0,
  },
]

/**
 * Packages whose test files may share a worker's modules: none of them replaces a module or measures memory. To load Effect
 * and our sources anew for each file takes longer than most of these files.
 */
const sharing = new Set([
  "callback-fetch",
  "checkout",
  "client",
  "console",
  "core",
  "embed",
  "express",
  "fastify",
  "hono",
  "http",
  "portal",
  "processor-api-pix",
  "processor-sandbox",
  "store-memory",
  "store-postgres",
  "testing",
  "testkit",
  "web",
])

// Vitest hands none of the root's settings down to the projects: what is to hold everywhere is set in each.
export const project = (place: string, name: string) => {
  const globalSetup = join(place, "test/globalSetup.ts")
  return {
    resolve: { alias },
    test: {
      name,
      root,
      dir: place,
      // Projects of their own.
      exclude: ["**/node_modules/**", "**/dist/**", join(place, "postgres/**"), join(place, "test/replacing/**")],
      // A busy machine makes a test of seconds take many.
      testTimeout: isLong ? 600_000 : 60_000,
      globalSetup: existsSync(globalSetup) ? [globalSetup] : [],
      isolate: !sharing.has(name),
      runner: join(root, "gate/testRunner.ts"),
      allowOnly: false,
      expect: { requireAssertions: true },
      tags,
    },
  }
}

const projectsIn = (folder: string) => readdirSync(folder).map((name) => project(join(folder, name), name))

/** Where scripts/checkGate.mjs has put packages with faults, which this configuration must find. */
const planted = process.env["PLANTED_PACKAGES"]

const moduleCache = mkdtempSync(join(tmpdir(), "pixcharge-modules-"))
process.once("exit", () => rmSync(moduleCache, { recursive: true, force: true }))

export default defineConfig({
  test: {
    // Many tests only wait for what must not come.
    maxWorkers: 3,
    experimental: { fsModuleCache: true, fsModuleCachePath: moduleCache },
    reporters: ["default", new NotRun()],
    projects: [
      project(join(root, "gate"), "gate"),
      project(join(root, "docs"), "docs"),
      project(join(root, "browser"), "browser"),
      project(join(root, "failover"), "failover"),
      project(join(root, "fuzz"), "fuzz"),
      project(join(root, "soak"), "soak"),
      project(join(root, "simulation"), "simulation"),
      project(join(root, "simulation/postgres"), "simulation-postgres"),
      project(join(root, "packages/http/test/replacing"), "http-replacing"),
      ...[join(root, "packages"), join(root, "examples"), ...(planted === undefined ? [] : [planted])].flatMap(
        projectsIn,
      ),
    ],
  },
})

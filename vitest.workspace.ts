import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig, type Plugin } from "vitest/config"
import { BeginOrder } from "./verify/gate/BeginOrder.ts"
import { NotRun } from "./verify/gate/notRun.ts"
import { provideSetup } from "./verify/gate/partSetup.ts"
import { packageSources } from "./verify/world/packageSources.ts"

const root = import.meta.dirname
const isLong = process.env["LONG"] !== undefined

/** Tests read the source of every workspace package, so the build can't be stale. */
const alias = [
  { find: /^@pixcharge\/verify\/(.+)$/, replacement: `${root}/verify/$1/index.ts` },
  ...[...packageSources].map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: path })),
]

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"])

/** The only ways to skip a test. The run lists skipped tests under the reasons. */
const tags = [
  { name: "long", description: "only the long runs do (pnpm test:long)", skip: !isLong },
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
    name: "curl",
    description: "this machine has no curl",
    skip: spawnSync("curl", ["--version"]).status !== 0,
  },
  {
    name: "killsNodes",
    description: "the nodes of CITUS_URL are not on this machine (loopback), so that no test may kill one",
    skip: !loopback.has(new URL(process.env["CITUS_URL"] ?? "postgres://other").hostname),
  },
  {
    name: "containers",
    description: "this machine lets nobody make a PID namespace (unshare --pid)",
    skip: spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status !== 0,
  },
]

interface ProjectOptions {
  readonly name: string
  readonly include: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  readonly globalSetup?: string | undefined
  readonly setupFiles?: ReadonlyArray<string>
  readonly isolate?: boolean
  readonly timeoutMs?: number
}

/**
 * Vitest runs set-ups in its own process. There it reads cached modules as bytes, and throws a `TypeError` when it looks for the
 * place of an error in them.
 */
const uncachedSetups: Plugin = {
  name: "pixcharge-uncached-setups",
  configureVitest: (context) =>
    context.experimental_defineCacheKeyGenerator(({ environment }) => environment.name !== "__vitest__" && ""),
}

// Vitest doesn't pass the root's settings to projects, so each project sets them.
export const project = ({
  name,
  include,
  exclude = [],
  globalSetup,
  setupFiles = [],
  isolate = false,
  // A busy machine stretches a test of seconds to minutes.
  timeoutMs = isLong ? 600_000 : 180_000,
}: ProjectOptions) => ({
  resolve: { alias },
  plugins: [uncachedSetups],
  test: {
    name,
    root,
    include: [...include],
    exclude: ["**/node_modules/**", "**/dist/**", ...exclude],
    ...(globalSetup !== undefined && {
      globalSetup: [join(root, "verify/gate/partSetup.ts")],
      provide: provideSetup(globalSetup),
    }),
    setupFiles: [...setupFiles],
    isolate,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    runner: join(root, "verify/gate/testRunner.ts"),
    allowOnly: false,
    // Ends before the test does, because its failure names the awaited value.
    expect: { requireAssertions: true, poll: { timeout: timeoutMs - 60_000 } },
    tags,
  },
})

interface Part {
  readonly name: string
  readonly folder: string
}

const partsIn = (parent: string): ReadonlyArray<Part> =>
  readdirSync(parent).map((name) => ({ name, folder: join(parent, name) }))

/** The folder of faulty packages from verify/gate/checkGate.ts, which this configuration must find. */
const planted = process.env["PLANTED_PACKAGES"]

const parts: ReadonlyArray<Part> = [
  { name: "docs", folder: join(root, "docs") },
  // The projects in `verify/hosts` are tested where they are installed.
  ...partsIn(join(root, "verify")).filter(({ name }) => name !== "hosts"),
  ...partsIn(join(root, "packages")),
  ...partsIn(join(root, "examples")),
  ...(planted === undefined ? [] : partsIn(planted)),
]

const existing = (file: string): ReadonlyArray<string> => (existsSync(file) ? [file] : [])

const setupsOf = ({ folder }: Part) => ({
  globalSetup: existing(join(folder, "test/globalSetup.ts"))[0],
  setupFiles: existing(join(folder, "test/setup.ts")),
})

const hasSetup = (part: Part): boolean =>
  Object.values(setupsOf(part))
    .flat()
    .some((file) => file !== undefined)

const testsIn = (folder: string): string => join(folder, "**/*.{test,spec}.?(c|m)[jt]s?(x)")

/** Files that replace modules or functions of Node, measure memory, or load our sources with planted faults. */
const alone = [join(root, "verify/fuzz/test/**"), ...parts.map(({ folder }) => join(folder, "test/alone/**"))]

/** Tests on a Citus cluster. They share it, and some kill its nodes. */
const onCluster = ["packages/store-citus/test/cluster/*.test.ts", "verify/chaos/test/cluster/*.test.ts"].map((files) =>
  join(root, files),
)
const inBrowser = join(root, "packages/*/test/browser/**")
const clusterUrl = process.env["CITUS_URL"]

const projects = [
  // Loading Effect and our sources takes longer than most files, so files share the modules of their worker.
  project({
    name: "shared",
    include: parts.filter((part) => !hasSetup(part)).map(({ folder }) => testsIn(folder)),
    exclude: [...alone, ...onCluster, inBrowser],
  }),
  project({ name: "unshared", include: alone.map(testsIn), isolate: true }),
  ...parts.filter(hasSetup).map((part) =>
    project({
      name: part.name,
      include: [testsIn(part.folder), ...(part.name === "browser" ? [testsIn(inBrowser)] : [])],
      exclude: [...alone, ...onCluster],
      ...setupsOf(part),
    }),
  ),
  ...(clusterUrl === undefined
    ? []
    : [
        project({
          name: "citus",
          include: onCluster,
          isolate: true,
          timeoutMs: 600_000,
        }),
      ]),
]

const moduleCache = mkdtempSync(join(tmpdir(), "pixcharge-modules-"))
process.once("exit", () => rmSync(moduleCache, { recursive: true, force: true }))

export default defineConfig({
  test: {
    // Only `--update` writes snapshots.
    update: "none",
    teardownTimeout: 180_000,
    // Many tests only wait to prove that an event does not come.
    maxWorkers: 3,
    fileParallelism: clusterUrl === undefined,
    experimental: { fsModuleCache: true, fsModuleCachePath: moduleCache },
    sequence: { sequencer: BeginOrder },
    reporters: ["default", new NotRun()],
    projects,
  },
})

/**
 * Runs the guides' hosts as their users would. Packs every package, and installs each project of `verify/hosts/` with
 * the packages in an empty folder. Builds the project, starts it on each runtime and takes a charge through its life
 * over HTTP. Exits with 1 if a result differs from the table in docs/hosts. `--update` writes the table. Arguments name
 * the only rows to run.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { installIn } from "../../release/install.ts"
import { pack } from "../../release/pack.ts"
import { readManifest } from "../../release/packages.ts"
import { startPostgres } from "../../world/index.ts"
import { tell } from "../../world/commandLine.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { runBackends } from "./backends.ts"
import { installFlat } from "./installFlat.ts"
import { installRuntimes } from "./installRuntimes.ts"
import { runProjects, writeProjects } from "./projects.ts"
import { type Row, rows, runtimes } from "./Row.ts"
import { runHost } from "./runHost.ts"
import { startReceiver } from "./startReceiver.ts"
import { readTable, writeTable } from "./table.ts"

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false } },
})
const chosen = rows.filter(({ name, folder }) => names.length === 0 || names.includes(name) || names.includes(folder))

const folder = mkdtempSync(join(tmpdir(), "pixcharge-hosts-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
const receiver = await startReceiver()
const tarballs = Object.fromEntries(
  (await pack(folder)).map(({ name, filename }) => [name, `file:${filename}`] as const),
)
const needed = runtimes.filter((runtime) => chosen.some((row) => row.runtimes.includes(runtime)))
const commands = await installRuntimes(needed, join(folder, "runtimes"))

const addDependencies = (to: string, ours: ReadonlyArray<string>): void => {
  const file = join(to, "package.json")
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { readonly dependencies: object }
  const added = Object.fromEntries(ours.map((name) => [`@pixcharge/${name}`, "*"]))
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, ...added } }))
}

/** Copies a project of `verify/hosts/` with the hosts' shared file, installs it and builds it. */
const prepare = async (row: Row, to: string): Promise<void> => {
  const { folder: project, base = project, example, pix, pages, installer, build } = row
  if (project === "backends") return
  if (project === "init") return writeProjects(to, tarballs)
  if (example !== undefined) {
    for (const part of ["src", "drizzle.config.ts"]) {
      cpSync(join(root, "examples", example, part), join(to, part), { recursive: true })
    }
  }
  for (const part of [base, project]) cpSync(join(root, "verify/hosts", part), to, { recursive: true })
  if (pix !== undefined) {
    mkdirSync(dirname(join(to, pix)), { recursive: true })
    copyFileSync(join(root, "verify/hosts", pages.length > 0 ? "pages/pix.ts" : basename(pix)), join(to, pix))
  }
  if (pages.length > 0) addDependencies(to, ["console", "http", "portal"])
  const overrides = { ...tarballs, ...row.overrides }
  await (installer === "pnpm" ? installIn(to, overrides) : installFlat(to, overrides, installer))
  if (readManifest(to).scripts[build] !== undefined) await run("npm", ["run", build], to)
}

/** Returns "yes", or prints the reason of a failure and returns "no". */
const attempt = async (what: string, work: () => Promise<unknown>): Promise<"yes" | "no"> => {
  try {
    await work()
    tell(`${what}: yes`)
    return "yes"
  } catch (error) {
    tell(`${what}: no\n${(error as Error).message}\n`)
    return "no"
  }
}

const runTest = async (row: Row, to: string, [binary = "", ...args]: ReadonlyArray<string>): Promise<unknown> => {
  if (!row.hasPostgres) return run(binary, [...args, ...row.test], to)
  const postgres = await startPostgres()
  const env = { DATABASE_URL: `${postgres.url}/postgres` }
  return run(binary, [...args, ...row.test], to, env).finally(() => postgres.remove())
}

const runOn = (row: Row, to: string, command: ReadonlyArray<string>): Promise<unknown> => {
  if (row.folder === "init") return runProjects(row, to, command)
  if (row.folder === "backends") return runBackends(to, tarballs, command)
  return row.start === undefined ? runTest(row, to, command) : runHost(row, to, command, receiver)
}

const runRow = async (row: Row, to: string): Promise<ReadonlyArray<string>> => {
  const isReady = await attempt(`${row.name}, installed and built`, () => prepare(row, to))
  const cells = []
  for (const runtime of runtimes) {
    const command = commands.get(runtime)
    if (command === undefined || !row.runtimes.includes(runtime)) cells.push("–")
    else if (isReady === "no") cells.push("no")
    else cells.push(await attempt(`${row.name} on ${runtime}`, () => runOn(row, to, command)))
  }
  rmSync(to, { recursive: true, force: true, maxRetries: 5 })
  return cells
}

const stated = readTable()
const results = new Map(rows.map(({ name }) => [name, stated.get(name) ?? runtimes.map(() => "")]))
const others = []
for (const [index, row] of chosen.entries()) {
  const cells = await runRow(row, join(folder, String(index)))
  if (cells.join() !== stated.get(row.name)?.join()) others.push(`${row.name}: ${cells.join(", ")}`)
  results.set(row.name, cells)
  if (values.update) writeTable(runtimes, results)
}
if (!values.update && others.length > 0) {
  tell(`docs/hosts/README.md differs from these results (--update rewrites it):\n${others.join("\n")}`)
  process.exitCode = 1
}
receiver.close()

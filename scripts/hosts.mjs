/**
 * Runs the hosts of the guides as their users would: packs every package, installs each project of `hosts/` with them in an
 * empty folder, builds it, starts it on each runtime and drives the life of a charge over HTTP. Ends with 1 if a result
 * differs from the table in docs/hosts. `--update` writes the table; names run those rows alone.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startReceiver } from "./hosts/Receiver.mjs"
import { runHost } from "./hosts/runHost.mjs"
import { installRuntimes } from "./hosts/runtimes.mjs"
import { readTable, writeTable } from "./hosts/table.mjs"
import { prepare, readJson, run } from "./hosts/workspace.mjs"
import { pack, root } from "./pack.mjs"

const { runtimes, rows } = readJson(join(root, "hosts/hosts.json"))
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const isUpdate = process.argv.includes("--update")
const chosen = rows.filter(({ name, folder }) => names.length === 0 || names.includes(name) || names.includes(folder))

const folder = mkdtempSync(join(tmpdir(), "pixcharge-hosts-"))
const receiver = await startReceiver()
const failures = []

/** "yes", or "no" with its reason printed. */
const attempt = async (what, work) => {
  try {
    await work()
    console.log(`${what}: yes`)
    return "yes"
  } catch (error) {
    console.log(`${what}: no\n${error.message}\n`)
    return "no"
  }
}

/** Without `start` a project is what its script `test` says. */
const runRow = async (row, at, commands, tarballs) => {
  const to = join(folder, String(at))
  const isReady = await attempt(`${row.name}, installed and built`, () => prepare(row, to, tarballs))
  const cells = []
  for (const runtime of runtimes) {
    if (!row.runtimes.includes(runtime)) cells.push("–")
    else if (isReady === "no") cells.push("no")
    else {
      const command = commands[runtime]
      const work = row.start ? () => runHost(row, to, command, receiver) : () => run(command[0], row.test, to)
      cells.push(await attempt(`${row.name} on ${runtime}`, work))
    }
  }
  rmSync(to, { recursive: true, force: true, maxRetries: 5 })
  return cells
}

try {
  mkdirSync(join(folder, "packages"))
  const packed = pack(join(folder, "packages"))
  const tarballs = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${filename}`]))
  const needed = runtimes.filter((runtime) => chosen.some((row) => row.runtimes.includes(runtime)))
  const commands = await installRuntimes(needed, join(folder, "runtimes"))
  const stated = readTable()
  const results = new Map(rows.map(({ name }) => [name, stated.get(name) ?? runtimes.map(() => "")]))
  for (const [at, row] of chosen.entries()) {
    const cells = await runRow(row, at, commands, tarballs)
    if (cells.join() !== stated.get(row.name)?.join()) failures.push(`${row.name}: ${cells.join(", ")}`)
    results.set(row.name, cells)
    if (isUpdate) writeTable(runtimes, results)
  }
  if (!isUpdate && failures.length > 0) {
    console.error(`docs/hosts/README.md states otherwise (--update rewrites it):\n${failures.join("\n")}`)
    process.exitCode = 1
  }
} finally {
  receiver.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

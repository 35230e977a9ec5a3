import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { nameWithVersion } from "../bench/nameWithVersion.ts"
import { markdownTable } from "../world/markdownTable.ts"
import { median } from "../world/quantile.ts"
import { run } from "../world/run.ts"
import { firstInstalled, runInstall } from "./installLine.ts"
import { pack } from "./pack.ts"

const inMb = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

/** The bytes of each installed package on disk. */
const measurePackages = (modules: string): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const entry of readdirSync(modules, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(relative(modules, file)) ?? []
    sizes.set(name, (sizes.get(name) ?? 0) + statSync(file).blocks * 512)
  }
  return sizes
}

const describeSize = (modules: string): readonly [mb: string, parts: string] => {
  const sizes = [...measurePackages(modules)].toSorted(([, a], [, b]) => b - a)
  const all = sizes.reduce((sum, [, size]) => sum + size, 0)
  const parts = sizes.filter(([, size]) => size > all / 10).map(([name, size]) => `\`${name}\` ${inMb(size)}`)
  return [inMb(all), parts.join(", ")]
}

/** The CPU time in µs that a new process takes to import these packages. */
const timeImport = async (folder: string, names: ReadonlyArray<string>): Promise<number> => {
  const imports = names.map((name) => `await import("${name}")`).join("\n")
  const code = `const before = process.cpuUsage()
    ${imports}
    const { user, system } = process.cpuUsage(before)
    console.log(user + system)
    process.exit()`
  return Number(await run(process.execPath, ["--input-type=module", "--eval", code], folder))
}

export const installTable = async (): Promise<string> => {
  const temporary = mkdtempSync(join(tmpdir(), "pixcharge-installs-"))
  try {
    const tarballs = new Map((await pack(temporary)).map(({ name, filename }) => [name, filename]))
    const first = firstInstalled()
    const installed = [["effect"], first, ["stripe"], ["better-auth"], ["pg-boss"]].map((words, index) => ({
      folder: join(temporary, `${index}`),
      words,
      names: words.filter((word) => word !== "effect" || words.length === 1),
      times: Array<number>(),
    }))
    for (const { folder, words } of installed) await runInstall(folder, words, tarballs)
    for (let turn = 0; turn < 15; turn++)
      for (const { folder, names, times } of installed) times.push(await timeImport(folder, names))
    const base = median(installed[0]?.times ?? [])
    const rows = installed.map(({ folder, words, names, times }) => {
      const [mb, parts] = describeSize(join(folder, "node_modules"))
      const name = words === first ? "README's packages" : nameWithVersion(names[0] ?? "", folder)
      return [name, mb, (median(times) / base).toFixed(1), parts]
    })
    const when = `Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`
    return `${markdownTable(["Installed", "MB", "Import", "Of which"], rows)}\n\n${when}`
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../world/run.ts"

type Names = Readonly<Record<string, string>>

/**
 * Installs the manifest in a folder. `overrides` replaces packages everywhere, also as dependencies of other packages.
 */
export const installIn = async (folder: string, overrides: Names = {}): Promise<void> => {
  const lines = Object.entries(overrides).map(([name, from]) => `  "${name}": "${from}"`)
  const settings = ["packages: []", "strictDepBuilds: false", ...(lines.length > 0 ? ["overrides:", ...lines] : []), ""]
  writeFileSync(join(folder, "pnpm-workspace.yaml"), settings.join("\n"))
  await run("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], folder)
}

export const install = async (folder: string, dependencies: Names, overrides?: Names): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  await installIn(folder, overrides)
}

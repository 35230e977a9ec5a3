import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import { readManifest } from "../packages.ts"

export const findVersion = (name: string): string => {
  const { dependencies, devDependencies } = readManifest(root)
  const own = dependencies[name] ?? devDependencies[name]
  if (own !== undefined && own !== "catalog:") return own
  const settings = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").replaceAll('"', "")
  const line = settings.split("\n").find((text) => text.trim().startsWith(`${name}: `))
  if (line === undefined) throw new Error(`the catalog has no ${name}`)
  return line.split(": ").at(-1) ?? ""
}

/** The dependencies to install: our packages from tarballs, other packages in the workspace's versions. */
export const makeDependencies = (names: ReadonlyArray<string>, tarballs: Readonly<Record<string, string>>) =>
  Object.fromEntries([...names, "@types/node"].map((name) => [name, tarballs[name] ?? findVersion(name)]))

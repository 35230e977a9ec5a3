import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../../world/run.ts"

type Names = Readonly<Record<string, string>>

const commands = {
  npm: ["npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"],
  // Ignores engines, because on Node 20 yarn would reject a package of Fastify that requires Node 22.
  yarn: ["npx", "-y", "yarn@1", "install", "--ignore-scripts", "--ignore-engines", "--prefer-offline", "--no-lockfile"],
} as const

/**
 * Installs a project's manifest into one flat `node_modules`. `overrides` replaces packages everywhere, also as
 * dependencies of other packages.
 */
export const installFlat = async (
  folder: string,
  overrides: Names,
  installer: keyof typeof commands,
): Promise<void> => {
  const file = join(folder, "package.json")
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Names>>
  // npm rejects an override of a package that the manifest requests in another version.
  const override = (names: Names = {}): Names =>
    Object.fromEntries(Object.entries(names).map(([name, version]) => [name, overrides[name] ?? version]))
  const dependencies = override(manifest["dependencies"])
  const devDependencies = override(manifest["devDependencies"])
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies, devDependencies, overrides, resolutions: overrides }))
  const [command, ...args] = commands[installer]
  await run(command, args, folder)
}

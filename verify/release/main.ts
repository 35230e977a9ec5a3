/** Commands for published packages: `node verify/dist/release/main.js COMMAND`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { refuse, tell } from "../world/commandLine.ts"
import { rewriteSection } from "../world/markdownTable.ts"
import { root } from "../world/root.ts"
import { firstInstalled, installLine } from "./installLine.ts"
import { packages } from "./packages.ts"

const [command = "", ...words] = process.argv.slice(2)

/** Packs our packages and prints the command that installs the named ones; by default README's first packages. */
const writeTarballs = async (): Promise<void> => {
  const { pack } = await import("./pack.ts")
  const folder = join(root, "tarballs")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const tarballs = new Map((await pack(folder)).map(({ name, filename }) => [name, filename]))
  tell(`
${packages.length} packages are in ${folder}. In the folder of your app:

${installLine(words.length > 0 ? words : firstInstalled(), tarballs)}

For other packages, add the names from a page's \`npm install\` to \`npx -y pnpm@12 run tarballs\`.`)
}

const writeEntries = async (): Promise<void> => {
  const { publishedEntries } = await import("./publishedEntries.ts")
  for (const { folder, manifest } of packages) {
    const path = join(folder, "package.json")
    const publishConfig = { ...publishedEntries(manifest), access: "public" }
    const written: object = JSON.parse(readFileSync(path, "utf8"))
    writeFileSync(path, `${JSON.stringify({ ...written, publishConfig }, undefined, 2)}\n`)
  }
}

const writeAssets = async (): Promise<void> => {
  const { assetModules } = await import("./assetModules.ts")
  for (const { path, text } of await assetModules()) writeFileSync(path, text)
}

const writeTable = (name: string, table: string): void => rewriteSection("docs/packages.md", name, () => table)

const writeBundleSizes = async (): Promise<void> => {
  const { bundleTable, measureBundles } = await import("./measureBundles.ts")
  writeTable("bundles", bundleTable(await measureBundles()))
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  assets: writeAssets,
  bundle: async () => (await import("./bundle.ts")).bundle(process.cwd()),
  bundleSizes: writeBundleSizes,
  check: async () => (await import("./check/checkPackages.ts")).checkPackages(),
  entries: writeEntries,
  /** Packs and installs packages, and measures them. Needs an idle machine. */
  installs: async () => writeTable("installs", await (await import("./measureInstalls.ts")).installTable()),
  pictures: async () => (await import("./writePictures.ts")).writePictures(),
  /** With `trial` it doesn't check the Git tree and the hosts. */
  release: async () => (await import("./release.ts")).release(words.includes("trial")),
  tarballs: writeTarballs,
}

await (commands[command] ?? (() => refuse(`name one of ${Object.keys(commands).join(", ")}`)))()

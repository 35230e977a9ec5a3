import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { isImported, listModules, readManifest } from "./packages.ts"
import { cjsFiles } from "./publishedEntries.ts"

/** `./dist/money/index.js` becomes `money/index`. */
const entryName = (file: string): string => file.replace(/^\.\/dist\//, "").replace(/\.js$/, "")

/**
 * Bundles a package, because loading many files would take longer than running them: a module and a CommonJS entry for
 * each export, a module for each command, and modules that these share. A package with only commands contains our
 * packages that it uses, so npx fetches only one package. It runs before packing (`prepack`) on the output of `tsc -b`.
 * Names, lines and types stay readable.
 */
export const bundle = async (folder: string): Promise<void> => {
  const manifest = readManifest(folder)
  const built = [...listModules(manifest).map((entry) => entry.default), ...Object.values(manifest.bin)]
  rmSync(join(folder, "bundle"), { recursive: true, force: true })
  const hasModules = isImported(manifest)
  const made = await rolldown({
    cwd: folder,
    input: Object.fromEntries(built.map((file) => [entryName(file), file])),
    // Includes the bundler's helpers, because users don't install them.
    external: hasModules ? /^(?!\0|@oxc-project\/runtime)[^./]/ : /^node:/,
    // Some exports run in browsers. With the platform "node" the bundler would import `node:module` in each module.
    platform: "neutral",
    // Tree-shaking would remove calls such as `decodeURIComponent(text)` whose only purpose is to throw an error.
    treeshake: !hasModules,
  })
  await made.write({ dir: join(folder, "bundle"), format: "esm", chunkFileNames: "shared/[name].js" })
  await made.close()

  rmSync(join(folder, "cjs"), { recursive: true, force: true })
  if (hasModules) mkdirSync(join(folder, "cjs"))
  for (const [name, text] of cjsFiles(manifest)) writeFileSync(join(folder, "cjs", name), text)
}

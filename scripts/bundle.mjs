/**
 * Makes of the package in the working directory what its users import: one module for each export and each command, and
 * those that several of them share, and an entry in CommonJS for each. Loading a package's files one by one takes longer than running them. It is run before
 * the package is packed (`prepack`), from what `tsc -b` has built; names, lines and types stay readable.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { cjsFiles } from "./publishedEntries.mjs"

const manifest = JSON.parse(readFileSync("package.json", "utf8"))

// A file of data is exported by its path alone.
const modules = Object.values(manifest.exports).filter((entry) => typeof entry !== "string")
const built = [...modules.map((entry) => entry.default), ...Object.values(manifest.bin ?? {})]

/** `./dist/money/index.js` as `money/index`. */
const nameOf = (file) => file.replace(/^\.\/dist\//, "").replace(/\.js$/, "")

rmSync("bundle", { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(built.map((file) => [nameOf(file), file])),
  // Helpers of the bundler become a part of the bundle: nobody installs them.
  external: /^(?!\0|@oxc-project\/runtime)[^./]/,
  platform: "node",
  // A bundler takes calls like `decodeURIComponent(text)`, made for the error that they throw, for needless.
  treeshake: false,
})
await bundle.write({ dir: "bundle", format: "esm", chunkFileNames: "shared/[name].js" })
await bundle.close()

rmSync("cjs", { recursive: true, force: true })
mkdirSync("cjs")
for (const [name, text] of cjsFiles(manifest)) writeFileSync(join("cjs", name), text)

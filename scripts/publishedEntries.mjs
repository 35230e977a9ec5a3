/**
 * What a package's manifest says of its entries once it is published: a bundled module each, an entry of its own for
 * CommonJS, so that its types are true, and the types for older resolutions. Made of the entries in the workspace.
 *
 * Run as a script it writes them into `publishConfig` of every manifest; `gate/test/manifests.test.ts` holds them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const bundled = (file) => file.replace("./dist/", "./bundle/")

/** The name of an entry's files in `cjs`: `./money` as `money`. */
export const cjsName = (subpath) => (subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-"))

/** Entries that are modules; a file of data is exported by its path alone. */
const modulesOf = ({ exports }) => Object.entries(exports).filter(([, entry]) => typeof entry !== "string")

const published = (subpath, { types, default: file }) => ({
  require: { types: `./cjs/${cjsName(subpath)}.d.cts`, default: `./cjs/${cjsName(subpath)}.cjs` },
  types,
  default: bundled(file),
})

export const publishedEntries = (manifest) => {
  const modules = modulesOf(manifest)
  const main = manifest.exports["."]
  const deeper = modules.filter(([subpath]) => subpath !== ".")
  const paths = deeper.map(([subpath, { types }]) => [subpath.slice(2), [types]])
  const exports = Object.entries(manifest.exports).map(([subpath, entry]) => [
    subpath,
    typeof entry === "string" ? entry : published(subpath, entry),
  ])
  const bin = Object.entries(manifest.bin ?? {}).map(([name, file]) => [name, bundled(file)])
  return {
    ...(main && { main: bundled(main.default), types: main.types }),
    ...(paths.length > 0 && { typesVersions: { "*": Object.fromEntries(paths) } }),
    exports: Object.fromEntries(exports),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
  }
}

/** The files in `cjs`, by their names, each with its text. */
export const cjsFiles = (manifest) =>
  modulesOf(manifest).flatMap(([subpath, { types, default: file }]) => [
    [`${cjsName(subpath)}.cjs`, `module.exports = require(".${bundled(file)}")\n`],
    [
      `${cjsName(subpath)}.d.cts`,
      `// @ts-ignore -- an ES module, which Node loads by \`require\` too\nexport * from ".${types.replace(/\.d\.ts$/, ".js")}"\n`,
    ],
  ])

if (process.argv[1] === import.meta.filename) {
  const packages = join(import.meta.dirname, "../packages")
  for (const folder of readdirSync(packages)) {
    const path = join(packages, folder, "package.json")
    const manifest = JSON.parse(readFileSync(path, "utf8"))
    if (manifest.private === true) continue
    manifest.publishConfig = { ...publishedEntries(manifest), access: "public" }
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
  }
}

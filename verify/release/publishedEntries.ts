import { type Manifest, listModules } from "./packages.ts"

type Entries = Pick<Manifest, "exports" | "bin">

const bundlePath = (file: string): string => file.replace("./dist/", "./bundle/")

/** The name of an entry's files in `cjs`, without extension: `./money` becomes `money`. */
const cjsName = (subpath: string): string => (subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-"))

/**
 * Makes the entries of a published manifest from the workspace's manifest. Each has a bundled module, a CommonJS entry
 * with its own types, and types for older module resolutions.
 */
export const publishedEntries = (manifest: Entries) => {
  const modules = listModules(manifest)
  const main = modules.find(({ subpath }) => subpath === ".")
  const deeper = modules.filter((one) => one !== main)
  const exports = modules.map(({ subpath, types, default: file }) => [
    subpath,
    {
      require: { types: `./cjs/${cjsName(subpath)}.d.cts`, default: `./cjs/${cjsName(subpath)}.cjs` },
      types,
      default: bundlePath(file),
    },
  ])
  const bin = Object.entries(manifest.bin).map(([name, file]) => [name, bundlePath(file)])
  return {
    ...(main && { main: bundlePath(main.default), types: main.types }),
    ...(deeper.length > 0 && {
      typesVersions: { "*": Object.fromEntries(deeper.map(({ subpath, types }) => [subpath.slice(2), [types]])) },
    }),
    ...(modules.length > 0 && { exports: { ...manifest.exports, ...Object.fromEntries(exports) } }),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
  }
}

export const cjsFiles = (manifest: Entries): ReadonlyArray<readonly [name: string, text: string]> =>
  listModules(manifest).flatMap(({ subpath, types, default: file }): ReadonlyArray<readonly [string, string]> => [
    [`${cjsName(subpath)}.cjs`, `module.exports = require(".${bundlePath(file)}")\n`],
    [
      `${cjsName(subpath)}.d.cts`,
      `// @ts-ignore -- an ES module, which Node loads by \`require\` too\nexport * from ".${types.replace(/\.d\.ts$/, ".js")}"\n`,
    ],
  ])

/**
 * Makes of the browser sources of each package, the files that lie directly in its folder `browser`, constants in its
 * `src/assets.ts`: modules bundled and minified, stylesheets minified, pictures as they are. `gate/test/assets.test.ts`
 * holds those files to their sources.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { browserslistToTargets, Features, transform } from "lightningcss"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

/** Payers keep old phones: iOS 15.4 is of 2022, and what these browsers lack is written out for them. */
const targets = browserslistToTargets(["chrome 100", "firefox 100", "ios_saf 15.4", "safari 15.4"])

const minifiedCss = (filename) =>
  transform({
    filename,
    code: readFileSync(filename),
    minify: true,
    targets,
    exclude: Features.LightDark,
  }).code.toString()

/** Our own packages from their sources, and stylesheets as minified texts. */
const ours = {
  name: "ours",
  resolveId: (name) => {
    const [, folder, subpath] = /^@pixcharge\/([^/]+)(?:\/(.+))?$/.exec(name) ?? []
    return folder === undefined ? null : join(root, "packages", folder, "src", subpath ?? "", "index.ts")
  },
  load: (id) =>
    id.endsWith(".css") ? { code: `export default ${JSON.stringify(minifiedCss(id))}`, moduleType: "js" } : null,
}

const bundledModule = async (file) => {
  const bundle = await rolldown({
    input: file,
    cwd: root,
    platform: "browser",
    transform: { target: "safari15.4" },
    plugins: [ours],
  })
  const { output } = await bundle.generate({ format: "iife", minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code.trim()
}

const kinds = {
  ".css": { type: "text/css; charset=utf-8", extension: ".css", textOf: minifiedCss },
  ".svg": { type: "image/svg+xml", extension: ".svg", textOf: (file) => readFileSync(file, "utf8").trim() },
  ".ts": { type: "text/javascript; charset=utf-8", extension: ".js", textOf: bundledModule },
}

/** The kind of a file that is an asset. */
const kindOf = (file) => (file.endsWith(".d.ts") ? undefined : kinds[extname(file)])

const makeAsset = async (file) => {
  const { type, extension, textOf } = kindOf(file)
  const text = await textOf(file)
  const name = basename(file, extname(file)) + extension
  return { name, hash: createHash("sha256").update(text).digest("hex").slice(0, 12), type, text }
}

/** `tokens.css` as `tokensCss`. */
const constantOf = (name) => name.replace(/\.(\w)/, (_, letter) => letter.toUpperCase())

const moduleOf = (folder, assets) => {
  const imported =
    folder === "web" ? 'import type { Asset } from "./Asset.ts"' : 'import type { Asset } from "@pixcharge/web"'
  const constants = assets.map(
    (asset) => `export const ${constantOf(asset.name)}: Asset = ${JSON.stringify(asset, undefined, 2)}\n`,
  )
  return [`// Written by pnpm assets, from browser/.\n${imported}\n`, ...constants].join("\n")
}

/** The files that hold the assets, by their paths, each with its text. */
export const assetModules = async () => {
  const modules = []
  for (const folder of readdirSync(join(root, "packages"))) {
    const sources = join(root, "packages", folder, "browser")
    const files = existsSync(sources) ? readdirSync(sources).filter((file) => kindOf(file) !== undefined) : []
    if (files.length === 0) continue
    const assets = []
    for (const file of files.toSorted()) assets.push(await makeAsset(join(sources, file)))
    modules.push({ path: join(root, "packages", folder, "src/assets.ts"), text: moduleOf(folder, assets) })
  }
  return modules
}

if (process.argv[1] === import.meta.filename) {
  for (const { path, text } of await assetModules()) writeFileSync(path, text)
}

import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { browserslistToTargets, Features, transform } from "lightningcss"
import { type Plugin, rolldown } from "rolldown"
import { root } from "../world/root.ts"
import { ourSources } from "./ourSources.ts"

export interface AssetModule {
  readonly path: string
  readonly text: string
}

/** The oldest browsers that the pages support, because payers keep old phones: iOS 15.4 is from 2022. */
const targets = browserslistToTargets(["chrome 100", "firefox 100", "ios_saf 15.4", "safari 15.4"])

const minifiedCss = (filename: string): string =>
  transform({
    filename,
    code: readFileSync(filename),
    minify: true,
    targets,
    exclude: Features.LightDark,
  }).code.toString()

const stylesheets: Plugin = {
  name: "stylesheets",
  load: (id) =>
    id.endsWith(".css") ? { code: `export default ${JSON.stringify(minifiedCss(id))}`, moduleType: "js" } : null,
}

const bundledModule = async (file: string): Promise<string> => {
  const bundle = await rolldown({
    input: file,
    cwd: root,
    platform: "browser",
    transform: { target: "safari15.4" },
    plugins: [ourSources, stylesheets],
  })
  const { output } = await bundle.generate({ format: "iife", minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code.trim()
}

interface Kind {
  readonly type: string
  readonly extension: string
  readonly readText: (file: string) => string | Promise<string>
}

const kinds: Readonly<Record<string, Kind>> = {
  ".css": { type: "text/css; charset=utf-8", extension: ".css", readText: minifiedCss },
  ".svg": { type: "image/svg+xml", extension: ".svg", readText: (file) => readFileSync(file, "utf8").trim() },
  ".ts": { type: "text/javascript; charset=utf-8", extension: ".js", readText: bundledModule },
}

/** `tokens.css` becomes `tokensCss`. */
const constantName = (name: string): string => name.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase())

const writeConstant = async (file: string): Promise<ReadonlyArray<string>> => {
  const kind = file.endsWith(".d.ts") ? undefined : kinds[extname(file)]
  if (kind === undefined) return []
  const text = await kind.readText(file)
  const name = basename(file, extname(file)) + kind.extension
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12)
  const asset = JSON.stringify({ name, hash, type: kind.type, text }, undefined, 2)
  return [`export const ${constantName(name)}: Asset = ${asset}\n`]
}

/**
 * Makes the text of each package's `src/assets.ts` from the files directly in its folder `browser`. Modules are bundled
 * and minified, stylesheets are minified, and pictures stay unchanged.
 */
export const assetModules = async (): Promise<ReadonlyArray<AssetModule>> => {
  const modules = []
  for (const folder of readdirSync(join(root, "packages"))) {
    const sources = join(root, "packages", folder, "browser")
    const constants = []
    for (const file of existsSync(sources) ? readdirSync(sources).toSorted() : [])
      constants.push(...(await writeConstant(join(sources, file))))
    if (constants.length === 0) continue
    const imported = folder === "web" ? "./Asset.ts" : "@pixcharge/web"
    const head = `// Written by pnpm assets, from browser/.\nimport type { Asset } from "${imported}"\n`
    modules.push({ path: join(root, "packages", folder, "src/assets.ts"), text: [head, ...constants].join("\n") })
  }
  return modules
}

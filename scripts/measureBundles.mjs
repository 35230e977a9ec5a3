/**
 * The sizes of what a bundler makes of the packages, in KB (1 000 bytes) of minified code, gzipped: with all that they
 * load, Effect included, but neither Node's own modules nor the frameworks and drivers that a host brings.
 *
 * Run as a script it writes the table of `docs/packages.md`, which `gate/test/bundles.test.ts` holds against it.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

/** What a host brings: frameworks, drivers, the runner of its tests. */
const brought = /^(node:|express$|fastify$|hono($|\/)|pg$|@electric-sql\/|vitest$|vite$)/

/** Our packages as their sources, so that no build can be stale. */
const ours = {
  name: "ours",
  resolveId: (name) => {
    const [, folder, subpath = ""] = /^@pixcharge\/([^/]+)(?:\/(.+))?$/.exec(name) ?? []
    return folder === undefined ? null : join(root, "packages", folder, "src", subpath, "index.ts")
  },
}

const entry = "\0entry"

/** @param {string} code A module. */
export const gzippedBytes = async (code) => {
  const given = {
    name: "given",
    resolveId: (name) => (name === entry ? entry : null),
    load: (id) => (id === entry ? { code, moduleType: "ts", moduleSideEffects: true } : null),
  }
  const bundle = await rolldown({
    input: entry,
    cwd: join(root, "packages/bench"),
    external: brought,
    plugins: [given, ours],
    platform: "node",
    logLevel: "silent",
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  return output.reduce((sum, { code: text = "" }) => sum + gzipSync(text).length, 0)
}

const manifest = (folder) => JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))

/** What users import of the published packages, but for what calls vitest. */
const imported = () =>
  readdirSync(join(root, "packages"))
    .map(manifest)
    .filter((own) => own.private !== true && own.name !== "@pixcharge/testkit")
    .flatMap((own) =>
      Object.keys(own.exports)
        .filter((subpath) => !subpath.endsWith(".json"))
        .map((subpath) => own.name + subpath.slice(1)),
    )

const firstSnippet = () => /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))[1]

/** Rows of the table: what is imported, and its KB. */
export const measureBundles = async () => {
  const codes = [
    ["`effect`, all of it", 'export * from "effect"'],
    ["README's first snippet", firstSnippet()],
    ...imported().map((name) => [`\`${name}\``, `export * from "${name}"`]),
    ["`nextBusinessDay` of `@pixcharge/core/plain`", 'export { nextBusinessDay } from "@pixcharge/core/plain"'],
  ]
  const rows = []
  for (const [what, code] of codes) rows.push({ what, kb: (await gzippedBytes(code)) / 1_000 })
  return rows
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const page = join(root, "docs/packages.md")
  const lines = (await measureBundles()).map(({ what, kb }) => `| ${what} | ${kb.toFixed(kb < 10 ? 1 : 0)} |`)
  const table = ["| Imported | KB |", "| --- | ---: |", ...lines].join("\n")
  const marked = /(<!-- bundles:begin -->\n)[\s\S]*(\n<!-- bundles:end -->)/
  writeFileSync(page, readFileSync(page, "utf8").replace(marked, `$1\n${table}\n$2`))
  execFileSync(process.execPath, [join(root, "node_modules/oxfmt/bin/oxfmt"), page])
}

import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Plugin, rolldown } from "rolldown"
import { root } from "../world/root.ts"
import { ourSources } from "./ourSources.ts"
import { listModules, packages } from "./packages.ts"
import { snippetsIn } from "./snippetsIn.ts"

export interface BundleSize {
  readonly what: string
  readonly kb: number
}

/** The modules that a host brings: Node's, frameworks, drivers and its test runner. */
const brought = /^(node:|express$|fastify$|hono($|\/)|pg$|@electric-sql\/|vitest$|vite$)/

const entry = "\0entry"

const gzippedBytes = async (code: string): Promise<number> => {
  const given: Plugin = {
    name: "given",
    resolveId: (name) => (name === entry ? entry : null),
    load: (id) => (id === entry ? { code, moduleType: "ts", moduleSideEffects: true } : null),
  }
  const bundle = await rolldown({
    input: entry,
    cwd: join(root, "verify"),
    external: brought,
    plugins: [given, ourSources],
    platform: "node",
    logLevel: "silent",
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  return output.reduce((sum, part) => sum + ("code" in part ? gzipSync(part.code).length : 0), 0)
}

/**
 * Measures the bundled packages in KB (1 000 bytes), minified and gzipped. They include all their imports, even Effect,
 * but not Node's modules, the host's frameworks and drivers, and modules that call vitest.
 */
export const measureBundles = async (): Promise<ReadonlyArray<BundleSize>> => {
  const imported = packages
    .filter(({ manifest }) => manifest.name !== "@pixcharge/adapter-tests")
    .flatMap(({ manifest }) => listModules(manifest).map(({ subpath }) => manifest.name + subpath.slice(1)))
  const codes = [
    ["`effect`, all of it", 'export * from "effect"'],
    ["README's first snippet", snippetsIn("README.md")[0]?.code ?? ""],
    ...imported.map((name) => [`\`${name}\``, `export * from "${name}"`]),
    ["`nextBusinessDay` of `@pixcharge/core/plain`", 'export { nextBusinessDay } from "@pixcharge/core/plain"'],
  ] as const
  const rows = []
  for (const [what = "", code = ""] of codes) rows.push({ what, kb: (await gzippedBytes(code)) / 1_000 })
  return rows
}

export const bundleTable = (sizes: ReadonlyArray<BundleSize>): string =>
  [
    "| Imported | KB |",
    "| --- | ---: |",
    ...sizes.map(({ what, kb }) => `| ${what} | ${kb.toFixed(kb < 10 ? 1 : 0)} |`),
  ].join("\n")

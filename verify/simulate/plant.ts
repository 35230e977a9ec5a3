import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { simulate } from "@pixcharge/testkit/simulation"
import { type Plugin, rolldown } from "rolldown"
import { root } from "../world/root.ts"

const folder = join(root, "node_modules/.cache/planted")
const testkitPath = /^#(\w+)\/(.+)$/
const packageName = /^@pixcharge\/([^/]+)(\/[^/]+)?$/

/** A replacement in a source file. */
export interface Edit {
  /** Relative to the repository's root. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
}

/** A fault or none, with a name for its file. */
export interface PlantedCode {
  readonly name: string
  readonly edits: ReadonlyArray<Edit>
}

/** The source of a file with its faults. Throws unless each replaced text occurs exactly once. */
export const applyEdits = (source: string, edits: ReadonlyArray<Edit>): string =>
  edits.reduce((edited, { file, text, replacement }) => {
    const [before = "", after, ...more] = edited.split(text)
    if (after === undefined || more.length > 0) {
      throw new Error(`${file} has ${after === undefined ? "no" : "more than one"} place that reads: ${text}`)
    }
    return before + replacement + after
  }, source)

/** Reads the sources of the workspace's packages, and applies the edits. */
const plantPlugin = (edits: ReadonlyArray<Edit>): Plugin => ({
  name: "planting",
  resolveId: (id) => {
    const [, part, path] = testkitPath.exec(id) ?? []
    if (part !== undefined) return join(root, "packages/testkit/src", part, `${path}.ts`)
    const [, name, subpath = ""] = packageName.exec(id) ?? []
    return name === undefined ? undefined : join(root, "packages", name, "src", subpath, "index.ts")
  },
  load: (id) => {
    const its = edits.filter(({ file }) => join(root, file) === id)
    return its.length === 0 ? undefined : applyEdits(readFileSync(id, "utf8"), its)
  },
})

const simulation = "packages/testkit/src/simulation/simulate.ts"
const external = /^(?:effect|express$|hono|@hono)(?:$|\/)/

/** Bundles a module with our code that it imports, once for each planted fault. Returns the files. */
export const bundle = async ({ name, edits }: PlantedCode, module = simulation): Promise<string> => {
  const build = await rolldown({ input: join(root, module), external, platform: "node", plugins: [plantPlugin(edits)] })
  const { output } = await build.generate()
  const unused = edits.find(({ file }) => !output[0].moduleIds.includes(join(root, file)))
  await build.close()
  if (unused !== undefined) throw new Error(`${module} doesn't use ${unused.file}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, output[0].code)
  return file
}

/** The simulation of code with the planted fault. */
export const plant = async (planted: PlantedCode): Promise<typeof simulate> => {
  const bundled = (await import(pathToFileURL(await bundle(planted)).href)) as { readonly simulate: typeof simulate }
  return bundled.simulate
}

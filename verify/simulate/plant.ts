import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { packageSources } from "../world/packageSources.ts"
import { root } from "../world/root.ts"
import type { Rule } from "./judge/index.ts"

const folder = join(root, "node_modules/.cache/planted")

export interface Edit {
  /** Relative to the repository's root. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
}

interface PlantedCode {
  readonly name: string
  readonly edits: ReadonlyArray<Edit>
}

/** Throws unless each replaced text occurs exactly once. */
const applyEdits = (source: string, edits: ReadonlyArray<Edit>): string =>
  edits.reduce((edited, { file, text, replacement }) => {
    const [before = "", after, ...more] = edited.split(text)
    if (after === undefined || more.length > 0) {
      throw new Error(`${file} has ${after === undefined ? "no" : "more than one"} place that reads: ${text}`)
    }
    return before + replacement + after
  }, source)

const exported = /^export (?:const|class) (\w+)/gm

/** Writes a module that exports the original or the faulty code, as the bundle's first line says. */
const writeChoice = (path: string, source: string, faults: ReadonlyArray<PlantedCode>): string => {
  const importing = (name: string, at: number) => `import * as m${at} from ${JSON.stringify(`${path}?${name}`)}`
  const choice = faults.map(({ name }, index) => `PLANTED === ${JSON.stringify(name)} ? m${index + 1} : `).join("")
  const names = [...source.matchAll(exported)].map(([, name]) => name)
  const imports = ["", ...faults.map(({ name }) => name)].map(importing)
  return [...imports, `export const { ${names.join(", ")} } = ${choice}m0`].join("\n")
}

/**
 * Plants faults into the sources. The bundle contains a module with faults once in its original form and once with each
 * fault.
 */
const plantPlugin = (planted: ReadonlyArray<PlantedCode>): Plugin => ({
  name: "planting",
  resolveId: (id) => (id.startsWith(root) ? id : packageSources.get(id)),
  load: (id) => {
    const [path = "", name] = id.split("?")
    const editsHere = ({ edits }: PlantedCode) => edits.filter(({ file }) => join(root, file) === path)
    const faults = planted.filter((fault) => editsHere(fault).length > 0)
    if (faults.length === 0) return undefined
    const source = readFileSync(path, "utf8")
    const edits = faults.filter((fault) => fault.name === name).flatMap(editsHere)
    return {
      code: name === undefined ? writeChoice(path, source, faults) : applyEdits(source, edits),
      moduleType: "ts",
    }
  },
})

const simulation = "verify/simulate/simulate.ts"
const external = /^(?:effect|express$|hono|@hono)(?:$|\/)/

/**
 * Bundles a module with the code of ours that it imports, once for all faults, because bundling takes longer than most
 * of the tests. The returned function writes the bundle with one named fault or none, and returns its file.
 */
export const bundle = async (
  planted: ReadonlyArray<PlantedCode>,
  module = simulation,
): Promise<(name: string) => string> => {
  const plugins = [plantPlugin(planted)]
  const build = await rolldown({ input: join(root, module), external, platform: "node", plugins })
  const { output } = await build.generate()
  await build.close()
  const unused = planted
    .flatMap(({ edits }) => edits)
    .find(({ file }) => !output[0].moduleIds.includes(join(root, file)))
  if (unused !== undefined) throw new Error(`${module} doesn't use ${unused.file}`)
  mkdirSync(folder, { recursive: true })
  return (name) => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, `const PLANTED = ${JSON.stringify(name)}\n${output[0].code}`)
    return file
  }
}

/**
 * Collects the faults from `file` in each package's `test/faults`, with the package's name. The last package comes
 * first.
 */
export const faultsIn = async <A>(file: string): Promise<ReadonlyArray<A & { readonly name: string }>> => {
  const found = readdirSync(join(root, "packages"))
    .toReversed()
    .map(async (name) => {
      const path = join(root, "packages", name, "test/faults", file)
      if (!existsSync(path)) return []
      const { faults } = (await import(path)) as { readonly faults: ReadonlyArray<A> }
      return faults.map((fault) => ({ ...fault, name }))
    })
  return (await Promise.all(found)).flat()
}

export interface PlantedFault<R = Rule> {
  readonly rule: R
  readonly defect: string
  readonly file: string
  /** Code that occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** The first seed that finds the fault, if none of the first seeds does. It can change with the code. */
  readonly seed?: number
}

/** The faults from `test/faults/<kind>.ts` of each package, each with the name of its bundle. */
export const readFaults = async <R = Rule>(kind: string) =>
  (await faultsIn<PlantedFault<R>>(`${kind}.ts`)).map((fault, index) => {
    const { name, file, text, replacement } = fault
    const edits = [{ file: `packages/${name}/src/${file}`, text, replacement }]
    return { ...fault, bundled: `${kind}-${index}`, edits }
  })

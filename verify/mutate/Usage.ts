import type { Node } from "oxc-parser"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSource, type Place, type Source } from "./Source.ts"

/** A stretch of a source under the number by which the worker tells that it comes by there. */
export interface Numbered {
  readonly number: number
  readonly node: Node
}

/** The places of a source that the worker tells of. */
export interface Places {
  /** The statements at the top, which are evaluated when the module is loaded. */
  readonly tops: ReadonlyArray<Numbered>
  readonly functions: ReadonlyArray<Numbered>
}

interface Imported {
  readonly from: string
  readonly name: string
}

/** What a name means: a statement of the module itself, or a name of another's. */
type Meaning = number | Imported

/** Where a statement is mentioned. */
interface Mention {
  readonly module: Module
  readonly top: number
  /** Undefined if it is when the module is loaded. */
  readonly caller: number | undefined
}

interface Module extends Places {
  readonly file: string
  readonly isTest: boolean
  readonly source: Source
  readonly names: ReadonlyMap<string, Meaning>
  readonly exports: ReadonlyMap<string, Meaning>
}

export const isFunction = ({ type }: Node): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"

const namesIn = (pattern: Node): ReadonlyArray<string> => {
  if (pattern.type === "Identifier") return [pattern.name]
  if (pattern.type === "ArrayPattern")
    return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)))
  if (pattern.type !== "ObjectPattern") return []
  return pattern.properties.flatMap((property) =>
    namesIn(property.type === "Property" ? property.value : property.argument),
  )
}

const declaredBy = (node: Node): ReadonlyArray<string> => {
  if (node.type === "ExportNamedDeclaration") return node.declaration === null ? [] : declaredBy(node.declaration)
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => namesIn(id))
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
    return node.id === null ? [] : [node.id.name]
  return []
}

const textOf = (node: Node): string =>
  node.type === "Identifier" ? node.name : node.type === "Literal" ? String(node.value) : ""

const bodyOf = ({ places }: Source): ReadonlyArray<Node> => {
  const program = places[0]?.node
  return program?.type === "Program" ? program.body : []
}

const resolveFrom = (root: string, file: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(file), specifier)
  const [scope, name, sub] = specifier.split("/")
  if (scope !== "@pixcharge" || name === undefined) return undefined
  const path = join("packages", name, "src", sub ?? "", "index.ts")
  return existsSync(join(root, path)) ? path : undefined
}

const importsOf = (root: string, source: Source): ReadonlyMap<string, Imported> => {
  const names = new Map<string, Imported>()
  for (const node of bodyOf(source)) {
    if (node.type !== "ImportDeclaration") continue
    const from = resolveFrom(root, source.file, node.source.value)
    if (from === undefined) continue
    for (const part of node.specifiers) {
      names.set(part.local.name, { from, name: part.type === "ImportSpecifier" ? textOf(part.imported) : "*" })
    }
  }
  return names
}

const exportsOf = (
  root: string,
  { file }: Source,
  tops: ReadonlyArray<Numbered>,
  names: ReadonlyMap<string, Meaning>,
): ReadonlyMap<string, Meaning> => {
  const exports = new Map<string, Meaning>()
  for (const { node, number } of tops) {
    if (node.type !== "ExportNamedDeclaration") continue
    for (const name of declaredBy(node)) exports.set(name, number)
    const from = node.source === null ? undefined : resolveFrom(root, file, node.source.value)
    for (const { local, exported } of node.specifiers) {
      const meaning = from === undefined ? names.get(textOf(local)) : { from, name: textOf(local) }
      if (meaning !== undefined) exports.set(textOf(exported), meaning)
    }
  }
  return exports
}

const isOfTests = (file: string): boolean => file.includes("/test/")

const readModule = (root: string, source: Source, firstNumber: number): Module => {
  let next = firstNumber
  const number = (node: Node): Numbered => ({ node, number: next++ })
  const tops = bodyOf(source)
    .filter(({ type }) => type !== "ImportDeclaration")
    .map(number)
  const functions = source.places.filter(({ node }) => isFunction(node)).map((place) => number(place.node))
  const names = new Map<string, Meaning>(importsOf(root, source))
  for (const top of tops) for (const name of declaredBy(top.node)) names.set(name, top.number)
  const exports = exportsOf(root, source, tops, names)
  return { file: source.file, isTest: isOfTests(source.file), source, tops, functions, names, exports }
}

const isMention = ({ node, parents: [parent] }: Place): boolean => {
  if (node.type !== "Identifier" || parent === undefined) return false
  if (parent.type === "MemberExpression") return parent.computed || parent.object === node
  if (parent.type === "Property") return parent.value === node
  return !parent.type.startsWith("Import") && !parent.type.startsWith("Export")
}

/** The source files of the packages and of all tests, below the root. */
export const sourceFiles = (root: string): ReadonlyArray<string> => {
  const folders = ["docs", ...readdirSync(join(root, "packages")).map((name) => join("packages", name))]
  return folders
    .flatMap((folder) => [join(folder, "src"), join(folder, "test")])
    .filter((folder) => existsSync(join(root, folder)) && !folder.startsWith("packages/mutation"))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.includes("node_modules"))
        .toSorted()
        .map((file) => join(folder, file)),
    )
}

/** What a place names: `import()` names all that the module exports. */
const meaningOf = (root: string, { file, names }: Module, place: Place): Meaning | undefined => {
  const { node } = place
  if (node.type === "Identifier") return isMention(place) ? names.get(node.name) : undefined
  if (node.type !== "ImportExpression") return undefined
  const from = resolveFrom(root, file, textOf(node.source))
  return from === undefined ? undefined : { from, name: "*" }
}

/** Who uses the values that were made when modules were loaded. */
export interface Users {
  /** Functions that do: a test that calls one of them is affected. */
  readonly functions: ReadonlySet<number>
  /** Test files that name such a value. */
  readonly files: ReadonlySet<string>
}

/**
 * Which statement uses which, by their names. It tells which tests can notice that a value is another which was made when
 * its module was loaded, before any test.
 */
export class Usage {
  readonly #modules = new Map<string, Module>()
  readonly #mentions = new Map<number, Array<Mention>>()

  constructor(root: string) {
    let next = 1
    // What is learned is kept by these numbers: a change of tests must leave those of the sources alone.
    const files = sourceFiles(root).toSorted((a, b) => Number(isOfTests(a)) - Number(isOfTests(b)))
    for (const file of files) {
      const module = readModule(root, parseSource(file, readFileSync(join(root, file), "utf8")), next)
      next += module.tops.length + module.functions.length
      this.#modules.set(file, module)
    }
    for (const module of this.#modules.values()) this.#addMentions(root, module)
  }

  #addMentions(root: string, module: Module): void {
    const tops = new Map(module.tops.map(({ node, number }) => [node, number]))
    const functions = new Map(module.functions.map(({ node, number }) => [node, number]))
    for (const place of module.source.places) {
      const meaning = meaningOf(root, module, place)
      const top = tops.get(place.parents.at(-2) ?? place.node)
      if (meaning === undefined || top === undefined) continue
      const caller = place.parents.find(isFunction)
      for (const meant of this.#statements(meaning)) {
        const known = this.#mentions.get(meant) ?? []
        known.push({ module, top, caller: caller && functions.get(caller) })
        this.#mentions.set(meant, known)
      }
    }
  }

  /** The statements behind a name. */
  #statements(meaning: Meaning | undefined): ReadonlyArray<number> {
    if (meaning === undefined) return []
    if (typeof meaning === "number") return [meaning]
    const exports = this.#modules.get(meaning.from)?.exports
    if (meaning.name !== "*") return this.#statements(exports?.get(meaning.name))
    return [...(exports?.values() ?? [])].flatMap((one) => this.#statements(one))
  }

  /** The places of a source file; none of a test's. */
  placesOf(file: string): Places {
    const module = this.#modules.get(file)
    return module === undefined || module.isTest ? { tops: [], functions: [] } : module
  }

  /** The innermost function around a node, or else the statement at the top. */
  placeOf(file: string, { start, end }: Node): { readonly number: number; readonly isTop: boolean } {
    const { tops, functions } = this.placesOf(file)
    const around = ({ node }: Numbered): boolean => node.start <= start && end <= node.end
    const inner = functions.findLast(around)
    const number = (inner ?? tops.find(around))?.number
    if (number === undefined) throw new Error(`Nothing is at ${start} in ${file}`)
    return { number, isTop: inner === undefined }
  }

  /**
   * Who uses what is made of the values of statements. `evaluations` tells in the evaluation of which statements a
   * function was called while modules were loaded.
   */
  usersOf(made: Iterable<number>, evaluations: (caller: number) => Iterable<number>): Users {
    const values = new Set(made)
    const functions = new Set<number>()
    const files = new Set<string>()
    for (const value of values) {
      for (const { module, top, caller } of this.#mentions.get(value) ?? []) {
        if (module.file.endsWith(".test.ts")) files.add(module.file)
        else if (module.isTest || caller === undefined) values.add(top)
        else {
          functions.add(caller)
          for (const maker of evaluations(caller)) values.add(maker)
        }
      }
    }
    return { functions, files }
  }
}

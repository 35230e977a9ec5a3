import type { Project } from "../Project.ts"

/** Import clauses by module: `{ express: "express", pg: "{ Pool }", "./pix": "{ pix }" }`. */
export type Imports = Readonly<Record<string, string>>

/** A module in TypeScript. JavaScript drops the text in «guillemets». */
export interface Source {
  readonly imports: Imports
  readonly body: string
}

export type Style = Pick<Project, "isTypeScript" | "isModule" | "ending">

const rank = (module: string): number => {
  if (module.startsWith("node:")) return 0
  return module.startsWith(".") ? 2 : 1
}

const compare = (one: string, other: string): number => rank(one) - rank(other) || (one < other ? -1 : 1)

const withoutTypes = (clause: string): string =>
  clause.startsWith("type ") ? "" : clause.replaceAll(/, type \w+|type \w+, /g, "")

const writeImport = (module: string, written: string, { isTypeScript, isModule, ending }: Style): string => {
  const clause = isTypeScript ? written : withoutTypes(written)
  if (clause === "") return ""
  const name = JSON.stringify(module.startsWith(".") ? module + ending : module)
  return isModule || isTypeScript ? `import ${clause} from ${name}\n` : `const ${clause} = require(${name})\n`
}

export const writeImports = (imports: Imports, style: Style): string =>
  Object.keys(imports)
    .toSorted(compare)
    .map((module) => writeImport(module, imports[module] ?? "", style))
    .join("")

const exported = /^export const (\w+)/gm

export const listExports = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(exported)].map(([, name = ""]) => name)

/** As TypeScript, as an ES module in JavaScript, or as CommonJS. */
export const writeSource = ({ imports, body }: Source, style: Style): string => {
  const typed = body.replaceAll(/«(.*?)»/g, style.isTypeScript ? "$1" : "")
  const isCommonJs = !style.isTypeScript && !style.isModule
  const names = isCommonJs ? listExports(typed) : []
  return [
    writeImports(imports, style),
    isCommonJs ? typed.replaceAll(exported, "const $1") : typed,
    ...(names.length === 0 ? [] : [`module.exports = { ${names.join(", ")} }\n`]),
  ]
    .filter((block) => block !== "")
    .join("\n")
}

export const indent = (text: string, by = "  "): string => text.replaceAll(/^(?=.)/gm, by)

/** An environment variable that a written file reads. */
export interface Setting {
  readonly name: string
  readonly comment: string
  /** A value that suits nearly everyone. */
  readonly value?: string
  readonly isRequired?: boolean
}

/** A choice's contribution to the `pix` module. */
export interface Part {
  readonly imports: Imports
  readonly statement?: string
  /** Lines of `createPix`'s options. */
  readonly options: ReadonlyArray<string>
  readonly settings?: ReadonlyArray<Setting>
  readonly packages: ReadonlyArray<string>
}

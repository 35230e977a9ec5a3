/** What is imported, by the module that it comes from: `{ express: "express", pg: "{ Pool }" }`. */
export type Imports = Readonly<Record<string, string>>

/** Node's modules first, then packages, then the project's own. */
const rank = (module: string): number => {
  if (module.startsWith("node:")) return 0
  return module.startsWith(".") ? 2 : 1
}

const compare = (one: string, other: string): number => rank(one) - rank(other) || (one < other ? -1 : 1)

/** Import lines in their order. */
export const writeImports = (imports: Imports): string =>
  Object.keys(imports)
    .toSorted(compare)
    .map((module) => `import ${imports[module]} from ${JSON.stringify(module)}`)
    .join("\n")

const readSource = (line: string): string => line.split('"')[1] ?? ""

/** Node's modules first, then packages, then the project's own. */
const rank = (source: string): number => {
  if (source.startsWith("node:")) return 0
  return source.startsWith(".") ? 2 : 1
}

const compare = (one: string, other: string): number =>
  rank(readSource(one)) - rank(readSource(other)) || (readSource(one) < readSource(other) ? -1 : 1)

/** Import lines in their order. */
export const joinImports = (lines: ReadonlyArray<string>): string => lines.toSorted(compare).join("\n")

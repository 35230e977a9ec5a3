import { type Node, parseSync, visitorKeys } from "oxc-parser"

/** A node with those that it stands in, the nearest first. */
export interface Place {
  readonly node: Node
  readonly parents: ReadonlyArray<Node>
}

/** A source file: its path below the root, its text, and every node that remains when types are taken away. */
export interface Source {
  readonly file: string
  readonly text: string
  readonly places: ReadonlyArray<Place>
}

/** Nodes of TypeScript that hold an expression; all others hold types alone. */
const transparent = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression",
])

const isType = ({ type }: Node): boolean => type.startsWith("TS") && !transparent.has(type)

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  (visitorKeys[node.type] ?? [])
    .flatMap((key) => (node as unknown as Readonly<Record<string, unknown>>)[key])
    .filter(isNode)

function* placesIn(node: Node, parents: ReadonlyArray<Node>): Generator<Place> {
  if (isType(node)) return
  yield { node, parents }
  for (const child of childrenOf(node)) yield* placesIn(child, [node, ...parents])
}

export const parseSource = (file: string, text: string): Source => {
  const { program, errors } = parseSync(file, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${file}: ${error.message}`)
  return { file, text, places: [...placesIn(program, [])] }
}

import type { Node } from "oxc-parser"
import type { Place, Source } from "../Source.ts"

/** One fault in a source text: what lies between two offsets is replaced. */
export interface Fault {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The expression or statement that is switched as a whole. */
  readonly host: Node
}

/** A kind of fault, and where in a source it can be planted. */
export interface Operator {
  readonly name: string
  readonly faults: (place: Place, source: Source) => ReadonlyArray<Fault>
}

/** What can be switched in place of an expression: within `a?.b.c` only the whole, which ends where `a` is undefined. */
export const hostOf = ({ node, parents }: Place): Node => {
  let inner = node
  for (const parent of parents) {
    if (parent.type === "ChainExpression") return parent
    const goesOn =
      (parent.type === "MemberExpression" && parent.object === inner) ||
      (parent.type === "CallExpression" && parent.callee === inner) ||
      parent.type === "TSNonNullExpression"
    if (!goesOn) return node
    inner = parent
  }
  return node
}

/** Replaces an expression, or a part of it. */
export const replace = (place: Place, text: string, part: { start: number; end: number } = place.node): Fault => ({
  start: part.start,
  end: part.end,
  text,
  host: hostOf(place),
})

/** Where an operator's sign stands: between its operands, comments left out. */
export const signBetween = (source: Source, left: Node, right: Node, sign: string): { start: number; end: number } => {
  const gap = source.text
    .slice(left.end, right.start)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => " ".repeat(comment.length))
  const start = left.end + gap.indexOf(sign)
  return { start, end: start + sign.length }
}

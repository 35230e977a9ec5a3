export type Node =
  | { readonly type: "StringLiteral"; readonly value: string }
  | {
      readonly type: "TemplateLiteral"
      readonly quasis: ReadonlyArray<Quasi>
      readonly expressions: ReadonlyArray<Node>
    }
  | { readonly type: "ObjectExpression"; readonly properties: ReadonlyArray<Node> }
  | Call
  | { readonly type: "Identifier"; readonly name: string }

export interface Call {
  readonly type: "CallExpression"
  readonly callee: Node
  readonly arguments: ReadonlyArray<Node>
}

interface Quasi {
  readonly type: "TemplateElement"
  readonly value: { readonly raw: string; readonly cooked?: string }
  readonly tail?: boolean
}

/**
 * The private-use character that stands for a template's first interpolation. The next characters stand for the next
 * interpolations.
 */
const firstPutIn = 0xe000
const putIns = /[\uE000-\uF8FF]/g

const statementWords =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|AND|OR|ORDER BY|LIMIT|CREATE|SET|JOIN|IS NULL|PERFORM|RETURNING|UNION|FOR SHARE)\b/

export const sqlIn = (node: Node): string | undefined => {
  if (node.type !== "TemplateLiteral" && node.type !== "StringLiteral") return undefined
  const text =
    node.type === "StringLiteral"
      ? node.value
      : node.quasis
          .flatMap(({ value }, index) => [
            ...(index === 0 ? [] : [String.fromCharCode(firstPutIn + index - 1)]),
            value.raw,
          ])
          .join("")
  return statementWords.test(text) ? text : undefined
}

export const withText = (node: Node, text: string): Node => {
  if (node.type !== "TemplateLiteral") return { type: "StringLiteral", value: text }
  const raws = text.split(putIns)
  return {
    type: "TemplateLiteral",
    quasis: raws.map((raw, index) => ({
      type: "TemplateElement",
      value: { raw, cooked: raw },
      tail: index === raws.length - 1,
    })),
    expressions: Array.from(text.matchAll(putIns), ([char]) =>
      structuredClone(node.expressions[char.charCodeAt(0) - firstPutIn]),
    ).filter((expression) => expression !== undefined),
  }
}

/** The placeholders of an interpolation and of a quoted value. */
const putIn = "_"
const quoted = "$"

export const isPutIn = ({ text }: Token): boolean => text.replaceAll(putIn, "") === ""

/**
 * The SQL with blanks for comments, and placeholders for interpolations and quoted values. Each character keeps its
 * position.
 */
export const simplifySql = (sql: string): string =>
  sql
    .replaceAll(putIns, putIn)
    .replaceAll(/--.*/g, (comment) => " ".repeat(comment.length))
    .replaceAll(/'[^'\n]*'|"[^"\n]*"/g, (value) => quoted.repeat(value.length))

export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The number of enclosing parentheses and CASEs. */
  readonly depth: number
}

const opening = new Set(["(", "CASE"])
const closing = new Set([")", "END"])

export const tokenize = (sql: string): ReadonlyArray<Token> => {
  let depth = 0
  return Array.from(sql.matchAll(/<=|>=|<>|::|:=|=>|[\w$.@]+|\S/g), ({ 0: text, index }) => {
    if (closing.has(text)) depth -= 1
    const token = { text, start: index, end: index + text.length, depth }
    if (opening.has(text)) depth += 1
    return token
  })
}

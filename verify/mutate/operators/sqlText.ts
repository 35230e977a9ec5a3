import type { Node } from "oxc-parser"
import type { Source } from "../Source.ts"

const statementWords = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY|LIMIT|CREATE|SET|JOIN)\b/

/** A text that is SQL, or a part of it. */
export const isSql = (node: Node, { file, text }: Source): boolean => {
  if (!file.includes("store-postgres/")) return false
  if (node.type !== "TemplateLiteral" && !(node.type === "Literal" && typeof node.value === "string")) return false
  return file.endsWith(".sql.ts") || statementWords.test(text.slice(node.start, node.end))
}

/** Stand for what is not looked into: what is put into a template, and quoted values. */
const putIn = "_"
const quoted = "$"

/** Whether a token is nothing but what is put into a template. */
export const isPutIn = ({ text }: Token): boolean => text.replaceAll(putIn, "") === ""

/**
 * The SQL of a literal, each character where it stands in the source, but for what is no SQL: quotation marks and comments
 * are blank, values put in and quoted ones are opaque.
 */
export const sqlOf = (node: Node, { text }: Source): string => {
  const chars = text.slice(node.start, node.end).split("")
  const fill = (start: number, end: number, char: string) => chars.fill(char, start - node.start, end - node.start)
  fill(node.start, node.start + 1, " ")
  fill(node.end - 1, node.end, " ")
  if (node.type === "TemplateLiteral") {
    node.quasis.forEach((quasi, index) => {
      // Its span holds the signs around what is put in.
      const next = node.quasis[index + 1]
      if (next !== undefined) fill(quasi.end - 2, next.start + 1, putIn)
    })
  }
  return chars
    .join("")
    .replaceAll(/--.*/g, (comment) => " ".repeat(comment.length))
    .replaceAll(/'[^'\n]*'|"[^"\n]*"/g, (value) => quoted.repeat(value.length))
}

export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** How many parentheses and CASEs it stands in; they themselves stand outside. */
  readonly depth: number
}

const opening = new Set(["(", "CASE"])
const closing = new Set([")", "END"])

export const tokensOf = (sql: string): ReadonlyArray<Token> => {
  let depth = 0
  return Array.from(sql.matchAll(/<=|>=|<>|::|:=|=>|[\w$.@]+|\S/g), ({ 0: text, index }) => {
    if (closing.has(text)) depth -= 1
    const token = { text, start: index, end: index + text.length, depth }
    if (opening.has(text)) depth += 1
    return token
  })
}

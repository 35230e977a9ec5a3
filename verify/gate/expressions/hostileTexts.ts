import { type AST, RegExpParser } from "@eslint-community/regexpp"

export interface HostileText {
  readonly before: string
  readonly repeated: string
  readonly after: string
}

const candidates = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ..."\xa0é\u0301ſ\u2028中\ufffd",
]

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const listChildren = (node: AST.Node): ReadonlyArray<AST.Node> => {
  switch (node.type) {
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return node.alternatives
    case "Assertion":
      return node.kind === "lookahead" || node.kind === "lookbehind" ? node.alternatives : []
    case "Alternative":
      return node.elements
    case "Quantifier":
      return [node.element]
    default:
      return []
  }
}

const nodesBelow = (node: AST.Node): ReadonlyArray<AST.Node> => [node, ...listChildren(node).flatMap(nodesBelow)]

const isCharacter = ({ type }: AST.Node): boolean =>
  ["Character", "CharacterClass", "CharacterSet", "ExpressionCharacterClass"].includes(type)

/**
 * True for a part of unbounded or large length. Only an expression with such a part can take many steps per character.
 */
const isLong = (node: AST.Node): boolean => node.type === "Quantifier" && node.max > 9

const makeMatcher = ({ raw }: AST.Node, flags: string): RegExp => new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ""))

/** One character for each set of these parts that match it. */
const listCharacters = (nodes: ReadonlyArray<AST.Node>, flags: string): ReadonlyArray<string> => {
  const matchers = nodes.filter(isCharacter).map((node) => makeMatcher(node, flags))
  const kinds = candidates.map((each) => [matchers.map((matcher) => matcher.test(each)).join(), each] as const)
  return [...new Map(kinds.toReversed()).values()]
}

const sample = (node: AST.Node, times: number, flags: string): string => {
  if (isCharacter(node)) return candidates.find((each) => makeMatcher(node, flags).test(each)) ?? ""
  if (node.type === "Assertion") return ""
  if (node.type === "Alternative") return node.elements.map((element) => sample(element, times, flags)).join("")
  const [first] = listChildren(node)
  const text = first === undefined ? "" : sample(first, times, flags)
  return node.type === "Quantifier" ? text.repeat(Math.min(Math.max(node.min, times), node.max, 200)) : text
}

const beginnings = (node: AST.Node, before: string, times: number, flags: string): ReadonlyArray<string> => {
  let taken = before
  const below = listChildren(node).flatMap((child) => {
    const found = beginnings(child, taken, times, flags)
    if (node.type === "Alternative") taken += sample(child, times, flags)
    return found
  })
  return isLong(node) ? [before, ...below] : below
}

/**
 * Strings that could cost an expression more than one step per character. They repeat a match of a long part, alone
 * or in pairs, after a beginning that leads to the part. Some ends match, and some don't.
 */
export const hostileTexts = (expression: RegExp): ReadonlyArray<HostileText> => {
  const { flags } = expression
  const { pattern } = new RegExpParser().parseLiteral(String(expression))
  const long = nodesBelow(pattern).filter(isLong)
  const kinds = listCharacters(long.flatMap(nodesBelow), flags)
  const characters = distinct([...kinds, ...listCharacters(nodesBelow(pattern), flags)])
  const before = distinct(["", ...[0, 1].flatMap((times) => beginnings(pattern, "", times, flags))])
  const parts = distinct([pattern, ...long].flatMap((node) => [0, 1].map((times) => sample(node, times, flags))))
  const repeated = distinct([
    ...characters,
    ...kinds.flatMap((one) => [...kinds, ...parts, ...before].map((other) => one + other)),
    ...parts,
    ...before,
    ...before.flatMap((one) => parts.map((other) => one + other)),
  ]).filter((text) => text !== "")
  const after = distinct(["", "\n\0", kinds.join(""), kinds.toReversed().join("")])
  return before.flatMap((begun) =>
    repeated.flatMap((again) => after.map((end) => ({ before: begun, repeated: again, after: end }))),
  )
}

import { isPutIn, type Token } from "./sqlText.ts"

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface SqlOperator {
  /** The name has only letters, because comments that exclude a mutant contain it. */
  readonly name: string
  readonly edits: (sql: string, tokens: ReadonlyArray<Token>) => ReadonlyArray<Edit>
}

const sqlOperator = (name: string, edits: SqlOperator["edits"]): SqlOperator => ({ name: `Sql${name}`, edits })

type Replacement = string | ((found: string) => string)

const editMatches = (sql: string, pattern: RegExp, text: Replacement): ReadonlyArray<Edit> =>
  Array.from(sql.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: typeof text === "string" ? text : text(found),
  }))

const byPattern = (name: string, pattern: RegExp, text: Replacement): SqlOperator =>
  sqlOperator(name, (sql) => editMatches(sql, pattern, text))

/** Drops or replaces what follows each of these words. */
const byWord = (
  name: string,
  word: string,
  edits: (tokens: ReadonlyArray<Token>, index: number) => ReadonlyArray<Edit>,
) => sqlOperator(name, (_, tokens) => tokens.flatMap(({ text }, index) => (text === word ? edits(tokens, index) : [])))

const clauseWords = new Set(
  "SELECT FROM WHERE GROUP ORDER LIMIT RETURNING UNION FOR ON SET VALUES JOIN LEFT CROSS INNER HAVING WHEN THEN ELSE IF LOOP AS ; WITH".split(
    " ",
  ),
)

const keyword = /^[A-Z]+$/

/**
 * True if an interpolation is a clause: it follows an operand (`ON a = b ${joins}`) and isn't between two operands (`a
 * ${sign} b`).
 */
const isClausePutIn = (tokens: ReadonlyArray<Token>, index: number): boolean => {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (before === undefined || token === undefined || !isPutIn(token)) return false
  const follows = /^(?:[\w$.@]+|\))$/.test(before.text) && !keyword.test(before.text)
  return follows && (after === undefined || isPutIn(after) || /^[);]$/.test(after.text) || keyword.test(after.text))
}

const endsClause = (tokens: ReadonlyArray<Token>, index: number): boolean => {
  const token = tokens[index]
  if (token === undefined || isClausePutIn(tokens, index)) return true
  return clauseWords.has(token.text) && !(token.text === "FROM" && tokens[index - 1]?.text === "DISTINCT")
}

const clauseAfter = (tokens: ReadonlyArray<Token>, index: number): ReadonlyArray<Token> => {
  const depth = tokens[index]?.depth ?? 0
  const rest = tokens.slice(index + 1)
  const end = rest.findIndex(
    (token, offset) => token.depth < depth || (token.depth === depth && endsClause(tokens, index + 1 + offset)),
  )
  return end === -1 ? rest : rest.slice(0, end)
}

interface Item {
  readonly separator?: Token
  readonly tokens: ReadonlyArray<Token>
}

const cutAt = (tokens: ReadonlyArray<Token>, text: string, depth: number): ReadonlyArray<Item> => {
  const items: Array<{ separator?: Token; tokens: Array<Token> }> = [{ tokens: [] }]
  for (const token of tokens) {
    if (token.text === text && token.depth === depth) items.push({ separator: token, tokens: [] })
    else items.at(-1)?.tokens.push(token)
  }
  return items
}

const span = (tokens: ReadonlyArray<Token>): { start: number; end: number } => ({
  start: tokens[0]?.start ?? 0,
  end: tokens.at(-1)?.end ?? 0,
})

const dropEach = (items: ReadonlyArray<Item>): ReadonlyArray<Edit> =>
  items.flatMap(({ separator, tokens }, index) => {
    const next = items[index + 1]
    if (tokens.length === 0 || (separator === undefined && next === undefined)) return []
    const { start, end } = span(tokens)
    const previous = items[index - 1]?.tokens.at(-1)
    if (separator !== undefined) return [{ start: previous?.end ?? separator.start, end, text: "" }]
    return [{ start, end: next?.tokens[0]?.start ?? next?.separator?.end ?? end, text: "" }]
  })

const conjunctions = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Item>> => {
  const seen = new Set<Token>()
  return tokens.flatMap((token, index) => {
    if (token.text !== "AND" || seen.has(token)) return []
    const isStop = (at: number): boolean => {
      const other = tokens[at]
      if (other === undefined || other.depth < token.depth) return true
      return other.depth === token.depth && (endsClause(tokens, at) || other.text === "OR" || other.text === ",")
    }
    let first = index
    while (!isStop(first - 1)) first -= 1
    let last = index
    while (!isStop(last + 1)) last += 1
    const run = tokens.slice(first, last + 1)
    for (const other of run) if (other.text === "AND" && other.depth === token.depth) seen.add(other)
    return run.some(({ text }) => text === "BETWEEN") ? [] : [cutAt(run, "AND", token.depth)]
  })
}

/** True for the ON of a join; false for an index, a conflict or `DISTINCT ON`. */
const isOnOfJoin = (tokens: ReadonlyArray<Token>, index: number): boolean => {
  const token = tokens[index]
  if (token?.text !== "ON") return false
  const before = tokens.slice(0, index)
  const clause = before.findLast(
    ({ text, depth }) => depth < token.depth || (depth === token.depth && text !== "AS" && clauseWords.has(text)),
  )
  return clause?.text === "JOIN" && clause.depth === token.depth
}

const conditionDropped = sqlOperator("Condition", (_, tokens) => [
  ...conjunctions(tokens).flatMap(dropEach),
  ...tokens.flatMap((token, index) => {
    if (token.text !== "WHERE" && !isOnOfJoin(tokens, index)) return []
    const clause = clauseAfter(tokens, index)
    const isOne = cutAt(clause, "AND", token.depth).length === 1
    return isOne && clause.length > 0 && clause[0]?.text !== "true" ? [{ ...span(clause), text: "true" }] : []
  }),
])

const setting = /^(?:fillfactor|autovacuum_\w+|ERRCODE)$/

/** The tokens `=` that assign: in `SET a = b`, in its continuation (`, c = d`), and in settings. */
const assigning = (tokens: ReadonlyArray<Token>): ReadonlySet<Token> =>
  new Set(
    tokens.flatMap((token, index) => {
      if (token.text === "=" && setting.test(tokens[index - 1]?.text ?? "")) return [token]
      if (token.text !== "SET" && (token.text !== "," || index > 0)) return []
      return cutAt(clauseAfter(tokens, index), ",", token.depth).flatMap(
        (item) => item.tokens.find(({ text, depth }) => text === "=" && depth === token.depth) ?? [],
      )
    }),
  )

const otherComparison: Readonly<Record<string, string>> = { "=": "<>", "<>": "=" }

const comparisonNegated = sqlOperator("Comparison", (sql, tokens) => {
  const assignments = assigning(tokens)
  return [
    ...tokens.flatMap((token) => {
      const text = otherComparison[token.text]
      return text === undefined || assignments.has(token) ? [] : [{ start: token.start, end: token.end, text }]
    }),
    ...editMatches(sql, /\bIS (?:NOT )?DISTINCT FROM\b/g, (found) =>
      found === "IS DISTINCT FROM" ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM",
    ),
  ]
})

/** Replaces the call of an advisory lock, up to its closing parenthesis. */
const advisoryLockDropped = (tokens: ReadonlyArray<Token>): ReadonlyArray<Edit> =>
  tokens.flatMap((token, index) => {
    if (!token.text.startsWith("pg_advisory_")) return []
    const end = tokens.find(
      ({ text, depth }, position) => position > index && text === ")" && depth === token.depth,
    )?.end
    return end === undefined ? [] : [{ start: token.start, end, text: "true" }]
  })

const rowLock = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g

const lockDropped = sqlOperator("Lock", (sql, tokens) => [
  ...editMatches(sql, rowLock, ""),
  ...advisoryLockDropped(tokens),
])

const tokensInside = (tokens: ReadonlyArray<Token>, index: number): ReadonlyArray<Token> => {
  const rest = tokens.slice(index + 1)
  return rest.slice(
    0,
    rest.findIndex(({ depth }) => depth <= (tokens[index]?.depth ?? 0)),
  )
}

const valueDropped = byWord("InValue", "IN", (tokens, index) => {
  const [open, first] = tokens.slice(index + 1)
  if (open?.text !== "(" || first?.text === "SELECT") return []
  return dropEach(cutAt(tokensInside(tokens, index + 1), ",", open.depth + 1))
})

/** The items of the clause that begins with this word, without `skipped` words. */
const listItems = (tokens: ReadonlyArray<Token>, index: number, skipped = 0): ReadonlyArray<Item> =>
  cutAt(clauseAfter(tokens, index).slice(skipped), ",", tokens[index]?.depth ?? 0)

const orderReversed = sqlOperator("Order", (sql, tokens) => [
  ...editMatches(sql, / DESC\b/g, ""),
  ...tokens.flatMap(({ text }, index) =>
    (text === "ORDER" ? listItems(tokens, index, 1) : [])
      .filter((column) => column.tokens.length > 0 && column.tokens.at(-1)?.text !== "DESC")
      .map((column) => ({ start: span(column.tokens).end, end: span(column.tokens).end, text: " DESC" })),
  ),
])

const branchDropped = byWord("Union", "UNION", (tokens, index) => {
  const rest = tokens.slice(index)
  const first = rest[0]?.depth ?? 0
  const end = rest.findIndex(
    ({ depth, text }, position) =>
      depth < first || (position > 0 && depth === first && ["UNION", "ORDER", ";"].includes(text)),
  )
  return [{ ...span(end === -1 ? rest : rest.slice(0, end)), text: "" }]
})

export const sqlOperators: ReadonlyArray<SqlOperator> = [
  conditionDropped,
  byPattern("AndOr", /\bAND\b|\bOR\b/g, (word) => (word === "AND" ? "OR" : "AND")),
  byPattern("Bound", /(?<=\s)(?:<=|>=|<|>)(?=\s)/g, (sign) => (sign.length === 1 ? `${sign}=` : sign.slice(0, 1))),
  comparisonNegated,
  byPattern("NullTest", /\bIS (?:NOT )?NULL\b/g, (test) => (test === "IS NULL" ? "IS NOT NULL" : "IS NULL")),
  byPattern("Not", /\bNOT (?!NULL\b|VALID\b|MATERIALIZED\b|DISTINCT\b)(?=\S)/g, ""),
  valueDropped,
  lockDropped,
  byPattern("LockWait", / (?:SKIP LOCKED|NOWAIT)\b/g, ""),
  byWord("OrderColumn", "ORDER", (tokens, index) => dropEach(listItems(tokens, index, 1))),
  orderReversed,
  byWord("Limit", "LIMIT", (tokens, index) => [
    { ...span([...tokens.slice(index, index + 1), ...clauseAfter(tokens, index)]), text: "" },
  ]),
  byWord("Assignment", "SET", (tokens, index) => dropEach(listItems(tokens, index))),
  branchDropped,
  byPattern("Conflict", /\bON CONFLICT(?: \([^)]*\))? DO NOTHING\b/g, ""),
  byWord("Coalesce", "coalesce", (tokens, index) =>
    dropEach(cutAt(tokensInside(tokens, index + 1), ",", (tokens[index]?.depth ?? 0) + 1)),
  ),
  byPattern("Distinct", /(?<=SELECT )DISTINCT /g, ""),
  byPattern("Unique", /(?<=CREATE )UNIQUE /g, ""),
  byPattern("LeftJoin", /\bLEFT JOIN\b/g, "JOIN"),
  byPattern(
    "MinMax",
    /\b(?:min|max|greatest|least)(?=\()/g,
    (name) => ({ min: "max", max: "min", greatest: "least" })[name] ?? "greatest",
  ),
  byPattern("Arithmetic", /(?<= )[+-](?= )/g, (sign) => (sign === "+" ? "-" : "+")),
  byPattern("Boolean", /\b(?:true|false)\b/g, (value) => (value === "true" ? "false" : "true")),
  byPattern("Number", /(?<![\w$.@])\d+(?![\w.])/g, (digits) => String(Number(digits) + 1)),
]

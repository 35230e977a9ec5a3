import { expect, it } from "vitest"
import { sqlMutators } from "../sqlMutators.ts"
import type { Call, Node } from "../sqlText.ts"

const name = (text: string): Node => ({ type: "Identifier", name: text })

const template = (text: string): Node => {
  const parts = text.split(/\$\{(\w+)\}/)
  return {
    type: "TemplateLiteral",
    quasis: parts
      .filter((_, index) => index % 2 === 0)
      .map((raw) => ({ type: "TemplateElement", value: { raw, cooked: raw } })),
    expressions: parts.filter((_, index) => index % 2 === 1).map(name),
  }
}

const writeNode = (node: Node | undefined): string => {
  if (node?.type === "StringLiteral") return node.value
  if (node?.type === "Identifier") return `\${${node.name}}`
  if (node?.type !== "TemplateLiteral") throw new Error(`${node?.type} is no text`)
  return node.quasis
    .flatMap(({ value }, index) => [...(index === 0 ? [] : [writeNode(node.expressions[index - 1])]), value.raw])
    .join("")
}

const listMutants = (mutator: string, node: Node): ReadonlyArray<Node> =>
  sqlMutators.filter((one) => one.name === `Sql${mutator}`).flatMap((one) => [...one.mutate({ node })])

it.each<[operator: string, text: string, ...mutants: ReadonlyArray<string>]>([
  ["Condition", "SELECT 1 WHERE a = 'x AND y' AND (b OR c)", "SELECT 1 WHERE (b OR c)", "SELECT 1 WHERE a = 'x AND y'"],
  ["Condition", "DELETE FROM a WHERE b = $1 RETURNING c", "DELETE FROM a WHERE true RETURNING c"],
  ["Condition", "${a} AND b -- c AND d", "b -- c AND d", "${a} -- c AND d"],
  ["Condition", "CASE WHEN a AND b THEN c END", "CASE WHEN b THEN c END", "CASE WHEN a THEN c END"],
  ["Condition", "FROM a JOIN b ON b.c = a.c ORDER BY d", "FROM a JOIN b ON true ORDER BY d"],
  ["Condition", "FROM a JOIN b ON true"],
  ["Condition", "CREATE INDEX a ON b (c)"],
  ["Condition", "INSERT INTO a SELECT 1 FROM b ON CONFLICT (c) DO NOTHING"],
  ["Condition", "WHERE a = interval '1 s' ${page}", "WHERE true ${page}"],
  ["Condition", "a AND b ${sign} c", "b ${sign} c", "a"],
  ["AndOr", "WHERE a AND b", "WHERE a OR b"],
  ["Bound", "WHERE a <= b", "WHERE a < b"],
  ["Comparison", "WHERE a = $1 AND b <> ''", "WHERE a <> $1 AND b <> ''", "WHERE a = $1 AND b = ''"],
  ["Comparison", "WHERE a IS DISTINCT FROM b", "WHERE a IS NOT DISTINCT FROM b"],
  ["Comparison", "WHERE a IS NOT DISTINCT FROM b", "WHERE a IS DISTINCT FROM b"],
  [
    "Comparison",
    "SET a = 1, b = c = d FROM e WHERE f = g",
    "SET a = 1, b = c <> d FROM e WHERE f = g",
    "SET a = 1, b = c = d FROM e WHERE f <> g",
  ],
  ["Comparison", "SELECT f(a := b, c => d) USING ERRCODE = 'e'"],
  ["Comparison", "CREATE TABLE a (b text) WITH (autovacuum_vacuum_threshold = 500, fillfactor = 70)"],
  ["InValue", "WHERE a IN ('b', c(d, 1)) AND (e, f)", "WHERE a IN (c(d, 1)) AND (e, f)", "WHERE a IN ('b') AND (e, f)"],
  ["InValue", "WHERE a IN (SELECT b, c)"],
  ["Lock", "PERFORM pg_advisory_xact_lock(f('a', 0)); b()", "PERFORM true; b()"],
  ["NullTest", "a IS NULL", "a IS NOT NULL"],
  ["Not", "AND NOT a", "AND a"],
  ["Lock", "SELECT 1 LIMIT 1 FOR UPDATE OF a SKIP LOCKED", "SELECT 1 LIMIT 1 "],
  ["LockWait", "SELECT 1 FOR UPDATE SKIP LOCKED", "SELECT 1 FOR UPDATE"],
  ["OrderColumn", "ORDER BY a, b DESC LIMIT 1", "ORDER BY b DESC LIMIT 1", "ORDER BY a LIMIT 1"],
  ["Order", "ORDER BY a, b DESC LIMIT 1", "ORDER BY a, b LIMIT 1", "ORDER BY a DESC, b DESC LIMIT 1"],
  ["Limit", "(SELECT 1 LIMIT $2::integer - (SELECT 3)) a", "(SELECT 1 ) a"],
  [
    "Assignment",
    "UPDATE a SET b = f(1, 2), c = 3 WHERE d",
    "UPDATE a SET c = 3 WHERE d",
    "UPDATE a SET b = f(1, 2) WHERE d",
  ],
  ["Union", "(SELECT 1 UNION ALL SELECT 2) a", "(SELECT 1 ) a"],
  ["Conflict", "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING", "INSERT INTO a VALUES (1) "],
  ["Coalesce", "SELECT coalesce(a, b(1, 2))", "SELECT coalesce(b(1, 2))", "SELECT coalesce(a)"],
  ["LeftJoin", "FROM a LEFT JOIN b", "FROM a JOIN b"],
  ["MinMax", "SELECT min(a)", "SELECT max(a)"],
  ["Arithmetic", "SELECT a + b", "SELECT a - b"],
  ["Boolean", "SELECT true", "SELECT false"],
  ["Number", "LIMIT 1 OFFSET $2 + a3", "LIMIT 2 OFFSET $2 + a3"],
])("%s in %s", (mutator, sql, ...mutants) => {
  expect(listMutants(mutator, template(sql)).map(writeNode)).toEqual(mutants)
})

it("mutates SQL in a quoted string, and no other string", () => {
  const faulty = (value: string) => listMutants("Condition", { type: "StringLiteral", value }).map(writeNode)
  expect(faulty("DELETE FROM a WHERE b")).toEqual(["DELETE FROM a WHERE true"])
  expect(faulty("where a and b")).toEqual([])
})

const lookUp = (...columns: ReadonlyArray<string>): Call => ({
  type: "CallExpression",
  callee: name("lookUp"),
  arguments: [{ type: "ObjectExpression", properties: columns.map(name) }],
})

it("drops each column of a look-up, and turns a look-up of one column into true", () => {
  expect(listMutants("LookUp", lookUp("a", "b", "c"))).toEqual([lookUp("b", "c"), lookUp("a", "c"), lookUp("a", "b")])
  expect(listMutants("LookUp", lookUp("a"))).toEqual([{ type: "StringLiteral", value: "true" }])
  expect(listMutants("LookUp", { ...lookUp("a"), callee: name("other") })).toEqual([])
})

import { expect, it } from "vitest"
import { sitesOf } from "../Site.ts"
import { parseSource } from "../Source.ts"

/** What each fault of an operator makes of a source. */
const faulty = (operator: string, text: string, file = "packages/core/src/a.ts"): ReadonlyArray<string> =>
  sitesOf(parseSource(file, text))
    .filter((site) => site.operator === operator)
    .map(({ fault: { start, end, text: replacement } }) => text.slice(0, start) + replacement + text.slice(end))

it.each<[operator: string, text: string, ...mutants: ReadonlyArray<string>]>([
  ["comparison's bound", "a < b", "a <= b"],
  ["comparison's bound", "a >= b", "a > b"],
  ["comparison negated", "a === b", "a !== b"],
  ["comparison negated", "a <= b", "a > b"],
  ["arithmetic", "a + (b /* - */ * c)", "a - (b /* - */ * c)", "a + (b /* - */ / c)"],
  ["arithmetic", "a += b", "a -= b"],
  ["arithmetic", "a++", "a--"],
  ["&& and ||", "a && b", "a || b"],
  ["??", "a ?? b", "a", "b"],
  ["condition", "if (a > b) c()", "if (true) c()", "if (false) c()"],
  ["condition", "while (a()) b()", "while (false) b()"],
  ["ternary", "a ? b : c", "b", "c"],
  ["negation dropped", "!a", "a"],
  ["optional chaining", "a?.b?.[c]?.(d)", "a.b?.[c]?.(d)", "a?.b[c]?.(d)", "a?.b?.[c](d)"],
  [
    "case dropped",
    'switch (a) { case "b": case 1: c(); break; default: d() }',
    "switch (a) { case NaN: case 1: c(); break; default: d() }",
    'switch (a) { case "b": case NaN: c(); break; default: d() }',
  ],
  ["statement dropped", "{ a(); yield_ = b }", "{  yield_ = b }", "{ a();  }"],
  ["statement dropped", '"use strict"'],
  ["boolean", "a = true", "a = false"],
  ["number ±1", "a = 10", "a = 11", "a = (9)"],
  ["number doubled or halved", "a = 10_000", "a = 20000", "a = 5000"],
  ["number ±1", "a = 5n", "a = 6n", "a = (4n)"],
  ["string", 'a = "b"', 'a = ""'],
  ["string", 'a = ""', 'a = "~"'],
  ["string", "a = `b${c}`", 'a = ""'],
  ["string", 'import a from "b"\nexport { c } from "d"'],
  ["string", 'a = { "b-c": d, _tag: "E" }\nif (f === "g") h()'],
  ["string", 'type A = "b"\nconst c = d as "e"'],
  ["object or array emptied", "a = { b }", "a = {}"],
  ["object or array emptied", "a = [b, ...c]", "a = []"],
  ["object or array emptied", "const { a, b: [c] } = d"],
  ["method swapped", "a.some(b)", "a.every(b)"],
  ["method swapped", "Math.min(a, b)", "Math.max(a, b)"],
  ["method swapped", "Schema.every(a)"],
  ["method dropped", "a.filter(b).map(c)", "a.map(c)"],
  ["method dropped", "a.trim()", "a"],
  ["method negated", "a.includes(b)", "!a.includes(b)"],
  ["Effect's step dropped", "a.pipe(Effect.map(b), Effect.ensuring(c))", "a.pipe(Effect.map(b))"],
  ["Effect's step dropped", "a.pipe(\n  Effect.uninterruptible,\n)", "a"],
  ["Effect's step dropped", "Effect.timeout(a, b)", "a"],
  ["Effect's step dropped", "Effect.map(a, b)"],
  ["regular expression", "a = /^b+$/", "a = /b+$/", "a = /^b+/", "a = /^b*$/"],
  ["regular expression", "a = /[^b]{1,35}\\+/", "a = /[b]{1,35}\\+/", "a = /[^b]{2,35}\\+/", "a = /[^b]{1,36}\\+/"],
])("%s in %s", (operator, text, ...mutants) => {
  expect(faulty(operator, text)).toEqual(mutants)
})

it.each<[operator: string, text: string, ...mutants: ReadonlyArray<string>]>([
  [
    "condition dropped",
    "SELECT 1 WHERE a = 'x AND y' AND (b OR c)",
    "SELECT 1 WHERE (b OR c)",
    "SELECT 1 WHERE a = 'x AND y'",
  ],
  ["condition dropped", "DELETE FROM a WHERE b = $1 RETURNING c", "DELETE FROM a WHERE true RETURNING c"],
  ["condition dropped", "${a} AND b -- c AND d", "b -- c AND d", "${a} -- c AND d"],
  ["condition dropped", "CASE WHEN a AND b THEN c END", "CASE WHEN b THEN c END", "CASE WHEN a THEN c END"],
  ["condition dropped", "FROM a JOIN b ON b.c = a.c ORDER BY d", "FROM a JOIN b ON true ORDER BY d"],
  ["condition dropped", "FROM a JOIN b ON true"],
  ["condition dropped", "CREATE INDEX a ON b (c)"],
  ["condition dropped", "INSERT INTO a SELECT 1 FROM b ON CONFLICT (c) DO NOTHING"],
  ["condition dropped", "WHERE a = interval '1 s' ${page}", "WHERE true ${page}"],
  ["condition dropped", "a AND b ${sign} c", "b ${sign} c", "a"],
  ["AND and OR", "WHERE a AND b", "WHERE a OR b"],
  ["comparison's bound", "WHERE a <= b", "WHERE a < b"],
  ["comparison negated", "WHERE a = $1 AND b <> ''", "WHERE a <> $1 AND b <> ''", "WHERE a = $1 AND b = ''"],
  ["comparison negated", "WHERE a IS DISTINCT FROM b", "WHERE a IS NOT DISTINCT FROM b"],
  ["comparison negated", "WHERE a IS NOT DISTINCT FROM b", "WHERE a IS DISTINCT FROM b"],
  [
    "comparison negated",
    "SET a = 1, b = c = d FROM e WHERE f = g",
    "SET a = 1, b = c <> d FROM e WHERE f = g",
    "SET a = 1, b = c = d FROM e WHERE f <> g",
  ],
  ["comparison negated", ", a = b + c"],
  ["comparison negated", "SELECT f(a := b, c => d) USING ERRCODE = 'e'"],
  ["comparison negated", "autovacuum_vacuum_threshold = 500, fillfactor = 70"],
  [
    "value of IN dropped",
    "WHERE a IN ('b', c(d, 1)) AND (e, f)",
    "WHERE a IN (c(d, 1)) AND (e, f)",
    "WHERE a IN ('b') AND (e, f)",
  ],
  ["value of IN dropped", "WHERE a IN (SELECT b, c)"],
  ["lock dropped", "PERFORM pg_advisory_xact_lock(f('a', 0)); b()", "PERFORM true; b()"],
  ["NULL test negated", "a IS NULL", "a IS NOT NULL"],
  ["NOT dropped", "AND NOT a", "AND a"],
  ["lock dropped", "SELECT 1 LIMIT 1 FOR UPDATE OF a SKIP LOCKED", "SELECT 1 LIMIT 1 "],
  ["SKIP LOCKED or NOWAIT dropped", "SELECT 1 FOR UPDATE SKIP LOCKED", "SELECT 1 FOR UPDATE"],
  ["column of ORDER BY dropped", "ORDER BY a, b DESC LIMIT 1", "ORDER BY b DESC LIMIT 1", "ORDER BY a LIMIT 1"],
  ["order reversed", "ORDER BY a, b DESC LIMIT 1", "ORDER BY a, b LIMIT 1", "ORDER BY a DESC, b DESC LIMIT 1"],
  ["LIMIT dropped", "(SELECT 1 LIMIT $2::integer - (SELECT 3)) a", "(SELECT 1 ) a"],
  [
    "assignment dropped",
    "UPDATE a SET b = f(1, 2), c = 3 WHERE d",
    "UPDATE a SET c = 3 WHERE d",
    "UPDATE a SET b = f(1, 2) WHERE d",
  ],
  ["branch of UNION dropped", "(SELECT 1 UNION ALL SELECT 2) a", "(SELECT 1 ) a"],
  ["ON CONFLICT DO NOTHING dropped", "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING", "INSERT INTO a VALUES (1) "],
  ["default of coalesce", "SELECT coalesce(a, b(1, 2))", "SELECT coalesce(b(1, 2))", "SELECT coalesce(a)"],
  ["LEFT JOIN", "FROM a LEFT JOIN b", "FROM a JOIN b"],
  ["min and max", "SELECT min(a)", "SELECT max(a)"],
  ["arithmetic", "SELECT a + b", "SELECT a - b"],
  ["boolean", "SELECT true", "SELECT false"],
  ["number +1", "LIMIT 1 OFFSET $2 + a3", "LIMIT 2 OFFSET $2 + a3"],
])("SQL: %s in %s", (operator, sql, ...mutants) => {
  const file = "packages/store-postgres/src/a.sql.ts"
  expect(faulty(`SQL: ${operator}`, `a = \`${sql}\``, file)).toEqual(mutants.map((mutant) => `a = \`${mutant}\``))
})

it.each<[text: string, ...mutants: ReadonlyArray<string>]>([
  [
    'a = `ON ${lookUp({ "b.c": "d.c", "b.e": "d.e", "b.f": "1" })}`',
    'a = `ON ${lookUp({ "b.e": "d.e", "b.f": "1" })}`',
    'a = `ON ${lookUp({ "b.c": "d.c", "b.f": "1" })}`',
    'a = `ON ${lookUp({ "b.c": "d.c", "b.e": "d.e" })}`',
  ],
  ['a = `ON ${lookUp({ "b.c": "d.c" })}`', 'a = `ON ${"true"}`'],
  ['a = f({ "b.c": "d.c" })'],
])("a look-up loses one column in %s", (text, ...mutants) => {
  const file = "packages/store-postgres/src/a.sql.ts"
  expect(faulty("SQL: column of look-up dropped", text, file)).toEqual(mutants)
})

it("leaves the names of columns alone, and no look-up without any", () => {
  const text = 'a = lookUp({ "(b.c IS NULL)": "d.c", "b.e": "d.e" })'
  const file = "packages/store-postgres/src/a.sql.ts"
  expect(faulty("SQL: NULL test negated", text, file)).toEqual([])
  expect(faulty("object or array emptied", text, file)).toEqual([])
})

it("takes no text for SQL but in the package that sends it", () => {
  expect(faulty("string", "a = `SELECT 1 WHERE b`")).toEqual(['a = ""'])
  expect(faulty("SQL: condition dropped", "a = `SELECT 1 WHERE b`")).toEqual([])
})

it("names a site by its text, and those that look alike by their order", () => {
  const text = "const a = () => b(1)\nconst c = () => b(1)\n"
  const ids = sitesOf(parseSource("packages/core/src/a.ts", text)).map(({ id }) => id)
  const moved = sitesOf(parseSource("packages/core/src/a.ts", `\n\n${text}`)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(moved).toEqual(ids)
})

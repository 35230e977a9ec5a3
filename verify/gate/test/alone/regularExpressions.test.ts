import { join } from "node:path"
import { expect, it } from "vitest"
import { expressionsIn, findExpressions, packages } from "../../expressions/findExpressions.ts"
import { recordMade } from "../../expressions/recordMade.ts"
import { worstText } from "../../expressions/worstText.ts"

const found = findExpressions()
const places = found.filter(({ literal }) => literal === undefined)

/** The functions that make expressions when they are called, not when their module is loaded. */
const calls: Readonly<Record<string, { readonly name: string; readonly given: ReadonlyArray<unknown> }>> = {
  "http/src/makeRouter.ts": { name: "makeRouter", given: [{ notices: "/webhooks/pix", checkout: "/pagar" }] },
  "store-citus/src/shards/ShardMap.ts": { name: "useShardTables", given: ["", "pix", new Map()] },
}

const made = await recordMade(async () => {
  for (const file of new Set(places.map((each) => each.file))) {
    const module = (await import(join(packages, file))) as Record<string, (...given: ReadonlyArray<unknown>) => unknown>
    const call = calls[file]
    if (call !== undefined) module[call.name]?.(...call.given)
  }
})

const written = found.flatMap(({ file, line, literal }) =>
  literal === undefined ? [] : [{ place: `${file}:${line}`, expression: literal }],
)

const expressions = new Map([...written, ...made].map((each) => [String(each.expression), each]))

it.each([...expressions.values()].map(({ place, expression }) => [place, expression] as const))(
  "the expression at %s doesn't block the loop on the worst 16 KB found for it",
  (_, expression) => {
    expect(worstText(expression)).toBeUndefined()
  },
)

it("the tried expressions include every expression that code makes from strings", () => {
  const seen = new Set(made.map(({ place }) => place))
  expect(places.map(({ file, line }) => `${file}:${line}`).filter((place) => !seen.has(place))).toEqual([])
})

it("regular expressions are found in every form", () => {
  const source = `
    const first = /a+$/g
    const second = (text: string): boolean => !new RegExp(\`\${text}+\`, "i").test("b") && RegExp("c").test("d")
    class Third { readonly form = "e".replace(/\\/e+/u, "") }`
  expect(expressionsIn(source, "a.ts").map(({ line, literal }) => [line, literal && String(literal)])).toEqual([
    [2, "/a+$/g"],
    [3, undefined],
    [3, undefined],
    [4, "/\\/e+/u"],
  ])
})

const expectSlow = (expression: RegExp) => expect(worstText(expression)).toBeDefined()

it.each([/\/+$/, /(?:a|a)*b/, /x*y{1,300}x*z/, /(["'])(?:[^"\\]|\\.)*\1/g])("%s blocks the loop", expectSlow)

const others = [
  /^basic +(\S*) *$/i,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
  /^(?:[a-z]+,?)+$/,
  /<[^>]*>$/,
  /^(\w+\s?)*$/,
  /^id-(?:\d+)*\.$/,
]
it.each(others)("%s blocks the loop too", { tags: ["long"] }, expectSlow)

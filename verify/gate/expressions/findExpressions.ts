import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { root } from "../../world/root.ts"

export const packages = join(root, "packages")

export interface FoundExpression {
  readonly file: string
  readonly line: number
  /** The expression; undefined if the code makes it from strings. */
  readonly literal: RegExp | undefined
}

interface Node {
  readonly type: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

const isNode = (value: object): value is Node => "type" in value && typeof value.type === "string"

const nodesBelow = (value: unknown): ReadonlyArray<Node> => {
  if (typeof value !== "object" || value === null) return []
  const below = Object.values(value).flatMap(nodesBelow)
  return isNode(value) ? [value, ...below] : below
}

export const expressionsIn = (source: string, file: string): ReadonlyArray<FoundExpression> =>
  nodesBelow(parseAst(source, { lang: "ts" })).flatMap(({ start, regex, callee }) => {
    if (regex === undefined && callee?.name !== "RegExp") return []
    const literal = regex && new RegExp(regex.pattern, regex.flags)
    return [{ file, line: source.slice(0, start).split("\n").length, literal }]
  })

/**
 * Finds the regular expressions of every package that runs in a host. Code in a browser is left out, because it would
 * block only one user.
 */
export const findExpressions = (): ReadonlyArray<FoundExpression> =>
  readdirSync(packages)
    // Authors of adapters install this package only for tests.
    .filter((name) => name !== "adapter-tests")
    .filter((name) => JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).private !== true)
    .flatMap((name) =>
      readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
        join(name, "src", file),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => expressionsIn(readFileSync(join(packages, file), "utf8"), file))

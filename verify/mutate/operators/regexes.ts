import { type Operator, replace } from "./Operator.ts"

/** Parts of a pattern that may be left out or changed; a preceding backslash makes them literal. */
const changes: ReadonlyArray<readonly [RegExp, (part: string) => string]> = [
  [/^\^/g, () => ""],
  [/(?<!\\)\$$/g, () => ""],
  [/(?<!\\)\+/g, () => "*"],
  [/(?<![\\(])\*/g, () => "+"],
  [/\[\^/g, () => "["],
  [/(?<!\\)\[(?!\^)/g, () => "[^"],
  [/(?<=\{)\d+(?=[,}])/g, (least) => String(Number(least) + 1)],
  [/(?<=\{\d+,)\d+(?=\})/g, (most) => String(Number(most) + 1)],
  [/(?<=\{)\d+(?=\})/g, (times) => String(Math.max(0, Number(times) - 1))],
]

const regex: Operator = {
  name: "regular expression",
  faults: (place) => {
    const { node } = place
    if (node.type !== "Literal" || !("regex" in node)) return []
    const { pattern } = node.regex
    return changes.flatMap(([part, other]) =>
      [...pattern.matchAll(part)].map((found) => {
        const start = node.start + 1 + found.index
        return replace(place, other(found[0]), { start, end: start + found[0].length })
      }),
    )
  },
}

export const regexOperators: ReadonlyArray<Operator> = [regex]

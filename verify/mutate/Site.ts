import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { operators } from "./operators/index.ts"
import type { Fault } from "./operators/Operator.ts"
import { parseSource, type Source } from "./Source.ts"

/** Names a site whatever is added above it. */
export interface Identity {
  readonly file: string
  readonly operator: string
  /** The text around the fault, without and with it. */
  readonly original: string
  readonly mutated: string
  /** Which of those that look alike, from 2; the first has none. */
  readonly occurrence?: number
}

/** A place in the source and a fault that can be planted there. */
export interface Site extends Identity {
  readonly id: string
  /** The folder of its package. */
  readonly owner: string
  readonly line: number
  readonly fault: Fault
}

export const idOf = ({ file, operator, original, mutated, occurrence }: Identity): string =>
  [file, operator, original, mutated, ...(occurrence === undefined ? [] : [occurrence])].join(" | ")

const shownAround = 36

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** The fault with what stands around it in its lines. */
const describe = ({ text }: Source, fault: Fault): readonly [string, string] => {
  const from = Math.max(text.lastIndexOf("\n", fault.start - 1) + 1, fault.start - shownAround)
  const lineEnd = text.indexOf("\n", fault.end)
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, fault.end + shownAround)
  const before = text.slice(from, fault.start)
  const after = text.slice(fault.end, to)
  return [oneLine(before + text.slice(fault.start, fault.end) + after), oneLine(before + fault.text + after)]
}

const ownerOf = (file: string): string => file.split("/")[1] ?? file

/** Every site of a source, in order. */
export const sitesOf = (source: Source): ReadonlyArray<Site> => {
  const seen = new Map<string, number>()
  const texts = new Set<string>()
  return source.places.flatMap((place) =>
    operators.flatMap(({ name, faults }) =>
      faults(place, source).flatMap((fault): ReadonlyArray<Site> => {
        const { start, end, text, host } = fault
        // Two operators may make the same text of the same place.
        const whole = `${host.start}:${host.end}:${source.text.slice(host.start, start)}${text}${source.text.slice(end, host.end)}`
        if (texts.has(whole)) return []
        texts.add(whole)
        const [original, mutated] = describe(source, fault)
        const alike = { file: source.file, operator: name, original, mutated }
        const count = (seen.get(idOf(alike)) ?? 0) + 1
        seen.set(idOf(alike), count)
        const identity = count === 1 ? alike : { ...alike, occurrence: count }
        const line = source.text.slice(0, start).split("\n").length
        return [{ ...identity, id: idOf(identity), owner: ownerOf(source.file), line, fault }]
      }),
    ),
  )
}

/** Every site of the packages' sources. */
export const findSites = (root: string, packages: ReadonlyArray<string>): ReadonlyArray<Site> =>
  packages.flatMap((name) => {
    const folder = join(root, "packages", name, "src")
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .toSorted()
    return files.flatMap((file) => {
      const path = join(folder, file)
      return sitesOf(parseSource(relative(root, path), readFileSync(path, "utf8")))
    })
  })

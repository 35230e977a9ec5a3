import type { Verdict } from "./Judge.ts"
import type { Site } from "./Site.ts"

export interface Judged {
  readonly site: Site
  readonly verdict: Verdict
}

export const isKilled = ({ verdict }: Judged): boolean => verdict._tag === "Killed" || verdict._tag === "TimedOut"

const percent = (part: number, whole: number): string => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`)

/** How many of each group were killed. */
const table = (title: string, judged: ReadonlyArray<Judged>, groupOf: (site: Site) => string): string => {
  const names = [...new Set(judged.map(({ site }) => groupOf(site)))].toSorted()
  const rows = [
    ...names.map((name) => [name, judged.filter(({ site }) => groupOf(site) === name)] as const),
    ["all", judged] as const,
  ]
  const width = Math.max(title.length, ...rows.map(([name]) => name.length))
  const line = (name: string, ...cells: ReadonlyArray<string | number>): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join(" ")
  return [
    line(title, "mutants", "killed", "timed out", "survived", "killed"),
    ...rows.map(([name, group]) => {
      const count = (tag: Verdict["_tag"]): number => group.filter(({ verdict }) => verdict._tag === tag).length
      const killed = group.filter(isKilled).length
      return line(
        name,
        group.length,
        count("Killed"),
        count("TimedOut"),
        count("Survived"),
        percent(killed, group.length),
      )
    }),
  ].join("\n")
}

export const tables = (judged: ReadonlyArray<Judged>): string =>
  [table("package", judged, ({ owner }) => owner), table("operator", judged, ({ operator }) => operator)].join("\n\n")

/** One survivor as an item of a list. */
export const survivorText = ({ site, verdict }: Judged): string => {
  const { file, line, operator, original, mutated, occurrence } = site
  const isReached = verdict._tag !== "Survived" || verdict.tests > 0
  const notes = [
    ...(occurrence === undefined ? [] : [`occurrence ${occurrence}`]),
    ...(isReached ? [] : ["no test comes by"]),
  ]
  return [
    `- ${file}:${line} ${operator}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`,
    `    - ${original}`,
    `    + ${mutated}`,
  ].join("\n")
}

/** All survivors, by packages. */
export const survivorList = (judged: ReadonlyArray<Judged>): string => {
  const survivors = judged.filter((one) => !isKilled(one))
  const owners = [...new Set(survivors.map(({ site }) => site.owner))]
  return owners
    .map((owner) =>
      [`## ${owner}`, ...survivors.filter(({ site }) => site.owner === owner).map(survivorText)].join("\n"),
    )
    .join("\n\n")
}

const wantedShare = 0.9
const wholeSample = 1_000

/**
 * The share of faults that must be killed. A small sample may miss it by chance: it fails by three standard deviations,
 * which a suite that kills enough does once in a thousand samples. Those of one line are no sample, and none may survive;
 * nor may a single one, of which that leaves nothing to kill.
 */
export const leastShare = (size: number, isOfLine = false): number => {
  if (isOfLine || size === 1) return 1
  return size >= wholeSample ? wantedShare : wantedShare - 3 * Math.sqrt((wantedShare * (1 - wantedShare)) / size)
}

export const killedShare = (judged: ReadonlyArray<Judged>): number => judged.filter(isKilled).length / judged.length

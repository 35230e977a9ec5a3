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

/** One survivor as a list's item: where it is, what was changed, and the id under which it can be run again. */
export const survivorText = ({ site, verdict }: Judged): string =>
  [
    `- ${site.file}:${site.line} ${site.operator}${verdict._tag === "Survived" && verdict.tests === 0 ? " (no test comes by)" : ""}`,
    `    - ${site.original}`,
    `    + ${site.mutated}`,
  ].join("\n")

export const survivorList = (judged: ReadonlyArray<Judged>): string => {
  const survivors = judged.filter((one) => !isKilled(one))
  const owners = [...new Set(survivors.map(({ site }) => site.owner))]
  return owners
    .map((owner) =>
      [`## ${owner}`, ...survivors.filter(({ site }) => site.owner === owner).map(survivorText)].join("\n"),
    )
    .join("\n\n")
}

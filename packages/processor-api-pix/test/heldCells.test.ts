import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { type KnownProfile, pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import { describe, expect, it } from "vitest"

const page = readFileSync(new URL("../../../docs/banks.md", import.meta.url), "utf8")

interface HeldCell {
  readonly psp: string
  readonly field: string
  readonly value: string
  readonly heldOn: string
  readonly against: ReadonlyArray<number>
}

const readRows = (text: string): ReadonlyArray<HeldCell> => {
  const [, table = ""] = /<!-- held:begin -->(.*?)<!-- held:end -->/s.exec(text) ?? []
  return table
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [psp = "", field = "", value = "", heldOn = "", against = ""] = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim().replaceAll("`", ""))
      return { psp, field, value, heldOn, against: against.split(", ").map(Number) }
    })
}

/** Counts the calls at each root. An omitted call changes a count. */
const countByRoot = (paths: Readonly<Record<string, string>>) => {
  const counts: Record<string, number> = {}
  for (const root of Object.values(paths)) counts[root] = (counts[root] ?? 0) + 1
  return counts
}

const writeValue = (field: string, value: unknown): string =>
  JSON.stringify(field.endsWith("apiPaths") ? countByRoot(value as Readonly<Record<string, string>>) : value)

const listCells = (profile: KnownProfile): Readonly<Record<string, string>> => {
  const { bank: _, sources: __, production = {}, sandbox = {}, ...ways } = profile
  const own = Object.entries(ways).filter(
    ([field, value]) => !isDeepStrictEqual(value, standardProfile[field as keyof typeof standardProfile]),
  )
  const staged = (stage: string, fields: object) =>
    Object.entries(fields).map(([field, value]) => [`${stage}.${field}`, value] as const)
  const all = [...own, ...staged("production", production), ...staged("sandbox", sandbox)]
  return Object.fromEntries(all.map(([field, value]) => [field, writeValue(field, value)]))
}

const findFlaws = (
  rows: ReadonlyArray<HeldCell>,
  profiles: Readonly<Record<string, KnownProfile>>,
): ReadonlyArray<string> =>
  Object.entries(profiles).flatMap(([psp, profile]) => {
    const held = rows.filter((row) => row.psp === psp)
    const cells = listCells(profile)
    const missing = Object.keys(cells).filter((field) => !held.some((row) => row.field === field))
    return [
      ...missing.map((field) => `${psp} ${field} has no row`),
      ...held.flatMap(({ field, value, heldOn, against }) => {
        const days = against.map((at) => profile.sources[at - 1]?.readOn ?? "no such source")
        return [
          ...(cells[field] === value ? [] : [`${psp} ${field} is ${cells[field]}, and ${value} in the table`]),
          ...(days.every((day) => day === heldOn) ? [] : [`${psp} ${field} was held on ${heldOn}: ${days.join()}`]),
        ]
      }),
    ]
  })

const known: Readonly<Record<string, KnownProfile>> = pspProfiles

describe("the table of checks against sources", () => {
  it("has a row for each cell of each profile, and its sources were read on the day of the check", () => {
    const rows = readRows(page)
    expect(findFlaws(rows, known)).toEqual([])
    expect(rows.filter(({ psp }) => known[psp] === undefined)).toEqual([])
    expect(new Set(rows.map(({ psp, field }) => `${psp} ${field}`)).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThan(80)
  })

  it("rejects a new or changed cell, and a source that was read on another day", () => {
    const rows = readRows(page)
    const changed = (efi: Partial<KnownProfile>) => findFlaws(rows, { efi: { ...pspProfiles.efi, ...efi } })
    expect(changed({ pageSize: 50 })).toEqual(["efi pageSize has no row"])
    expect(changed({ apiPath: "/v3" })).toEqual(['efi apiPath is "/v3", and "/v2" in the table'])
    expect(changed({ returnReason: "sent" })).toEqual(['efi returnReason is undefined, and "leftOut" in the table'])
    expect(changed({ sources: [] }).length).toBeGreaterThan(5)
  })
})

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { summarizeRounds } from "../compareRounds.ts"
import type { Variant } from "../http/serve.ts"
import { type Server, startServer } from "../http/startServer.ts"
import { takeTurn, warmUpRounds } from "../http/takeTurns.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { spreadText } from "../report.ts"
import { type CpuProfile, type Part, parts } from "./classifyNodes.ts"
import { countSamples, type Period } from "./countSamples.ts"

const variants = [
  ["hono", "Hono"],
  ["express", "Express"],
] as const satisfies ReadonlyArray<readonly [Variant, string]>

const steadyMicroseconds = (): number => Number(process.hrtime.bigint()) / 1e3

const profileFile = (folder: string, variant: Variant): string => join(folder, `${variant}.cpuprofile`)

/** Has charges issued by the servers in turn, and answers with when it was each one's turn. */
const loadInTurns = async (servers: ReadonlyArray<Server>, rounds: number) => {
  const periods = new Map(servers.map(({ variant }) => [variant, [] as Array<Period>]))
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const from = steadyMicroseconds()
      await takeTurn(server, "issue", [])
      if (round >= 0) periods.get(server.variant)?.push({ from, until: steadyMicroseconds() })
    }
  }
  return periods
}

const total = (counts: Readonly<Record<Part, number>>): number => parts.reduce((sum, part) => sum + counts[part], 0)

const percent = (share: number): string => `${Math.round(100 * share)} %`

/** A column of the table: the median of the turns' shares of each part, and how far the turns differ. */
const shareCells = (turns: ReadonlyArray<Readonly<Record<Part, number>>>): ReadonlyArray<readonly [string, string]> =>
  parts.map((part) => {
    const { median, spread } = summarizeRounds(turns.map((counts) => counts[part] / total(counts)))
    return [percent(median), spreadText(spread, percent)]
  })

/**
 * Where the processor time of a POST goes in our servers: the share of each part, not counting what it calls and not
 * counting idle time, by V8's samples of each millisecond in turns of a second.
 */
export const profileBench = async (databases: (name: string) => Promise<string>, rounds: number): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-profile-"))
  const servers: Array<Server> = []
  try {
    for (const [variant] of variants) {
      const preload = `--import=${import.meta.dirname}/nameJson.js`
      const flags = [preload, "--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${variant}.cpuprofile`]
      servers.push(await startServer(variant, await databases(`profile_${variant}`), flags))
    }
    const periods = await loadInTurns(servers, rounds)
    // The profile is written when the process ends.
    for (const server of servers.splice(0)) await server.stop()
    const columns = variants.map(([variant]) => {
      const profile = JSON.parse(readFileSync(profileFile(folder, variant), "utf8")) as CpuProfile
      return shareCells((periods.get(variant) ?? []).map((period) => countSamples(profile, period)))
    })
    return markdownTable(
      ["Part", ...variants.flatMap(([, name]) => [name, "Spread of rounds"])],
      parts.map((part, at) => [part, ...columns.flatMap((cells) => cells[at] ?? [])]),
    )
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

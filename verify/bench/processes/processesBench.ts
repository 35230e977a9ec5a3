import { median } from "../../world/quantile.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { compareRounds } from "../compareRounds.ts"
import { type Cost, type Meter, openMeter } from "../costs.ts"
import { load } from "../http/load.ts"
import { type Server, startServer } from "../http/startServer.ts"
import { spreadText, timesText } from "../report.ts"
import { startPgbouncer } from "./startPgbouncer.ts"

const processCounts = [1, 2, 4]
const maxProcesses = Math.max(...processCounts)
const turnMs = 1_000
/** The number of rounds after which V8 has compiled the hot code. */
const warmUpRounds = 4
/** The connections to each server. With fewer connections, fewer charges would share a statement. */
const connections = 64
/**
 * The connections from pgbouncer to Postgres, shared by all processes. Without pgbouncer each process has this many.
 */
const poolSize = 10

interface Setting {
  readonly name: string
  readonly servers: ReadonlyArray<Server>
  readonly pgbouncerNs: () => number
}

interface Turn extends Cost {
  /** Charges a second. */
  readonly rate: number
  readonly pgbouncer: number
}

const takeTurn = async ({ servers, pgbouncerNs }: Setting, meter: Meter): Promise<Turn> => {
  const [began, before] = [performance.now(), pgbouncerNs()]
  let charges = 0
  const issue = async ({ port, token }: Server): Promise<void> => {
    charges += (await load({ port, token, connections, durationMs: turnMs, kind: "issue", ids: [] })).count
  }
  const cost = await meter.measure(
    () => servers.reduce((sum, { cpuNs }) => sum + cpuNs(), 0),
    async () => {
      await Promise.all(servers.map(issue))
      return charges
    },
  )
  const pgbouncer = (pgbouncerNs() - before) / 1e3 / charges
  return { ...cost, rate: (charges * 1_000) / (performance.now() - began), pgbouncer }
}

type Measured = readonly [name: string, turns: ReadonlyArray<Turn>]

/** A row of the table: charges a second relative to the first row's, and CPU time per charge. */
const row = ([name, turns]: Measured, [, first]: Measured): ReadonlyArray<string> => {
  const each = (of: keyof Turn, all = turns) => all.map((turn) => turn[of])
  const { ratio, spread } = compareRounds(each("rate", first), each("rate"))
  const middles = (["host", "postgres", "pgbouncer"] as const).map((of) => median(each(of)).toFixed(0))
  return [name, median(each("rate")).toFixed(0), timesText(ratio), spreadText(spread), ...middles]
}

const head = [
  "Processes",
  "Charges/s",
  "Beside one, directly",
  "Spread of rounds",
  "Hosts, µs a charge",
  "Postgres, µs",
  "pgbouncer, µs",
]

const startAll = async (url: string): Promise<ReadonlyArray<Server>> => {
  const servers: Array<Server> = []
  for (let index = 0; index < maxProcesses; index++) servers.push(await startServer("hono", url))
  return servers
}

/** Issues charges through 1, 2 and 4 processes on one Postgres, directly and through pgbouncer, in turns of one second. */
export const processesBench = async (databases: (name: string) => Promise<string>, rounds: number): Promise<string> => {
  const url = await databases("processes")
  const meter = await openMeter(url)
  const pgbouncer = await startPgbouncer(url, poolSize)
  if (pgbouncer === undefined) console.error("*** pgbouncer is not installed (Debian: apt install pgbouncer): left out")
  const direct = await startAll(url)
  const pooled = pgbouncer === undefined ? [] : await startAll(pgbouncer.url)
  const settings = processCounts.flatMap((count): ReadonlyArray<Setting> => {
    const alone = { name: `${count}, directly`, servers: direct.slice(0, count), pgbouncerNs: () => 0 }
    if (pgbouncer === undefined) return [alone]
    const { version, cpuNs: pgbouncerNs } = pgbouncer
    return [alone, { name: `${count}, ${version}`, servers: pooled.slice(0, count), pgbouncerNs }]
  })
  try {
    const turns = new Map(settings.map(({ name }) => [name, [] as Array<Turn>]))
    for (let round = -warmUpRounds; round < rounds; round++) {
      // With empty tables, later rounds are as fast as the first.
      await meter.client.query("TRUNCATE pixcharge.charges, pixcharge.charge_texts")
      for (const setting of round % 2 === 0 ? settings : settings.toReversed()) {
        const turn = await takeTurn(setting, meter)
        if (round >= 0) turns.get(setting.name)?.push(turn)
      }
    }
    const measured: ReadonlyArray<Measured> = [...turns]
    return markdownTable(
      head,
      measured.map((each) => row(each, measured[0] ?? each)),
    )
  } finally {
    for (const server of [...direct, ...pooled]) await server.stop()
    await pgbouncer?.stop()
    await meter.close()
  }
}

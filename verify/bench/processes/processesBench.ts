import pg from "pg"
import { compareRounds } from "../compareRounds.ts"
import { type Server, startServer } from "../http/startServer.ts"
import { median } from "../../world/quantile.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { spreadText, timesText } from "../report.ts"
import { sessionsCpu } from "./ServerCpu.ts"
import { startPgbouncer } from "./startPgbouncer.ts"
import { type Parts, type Setting, takeTurn, type Turn } from "./Turn.ts"

const processCounts = [1, 2, 4]
const maxProcesses = Math.max(...processCounts)
const turnMs = 1_000
/** The number of rounds after which V8 has compiled the hot code. */
const warmUpRounds = 4
/**
 * The connections from pgbouncer to Postgres, shared by all processes. Without pgbouncer each process has this many.
 */
const connections = 10

type Measured = readonly [name: string, turns: ReadonlyArray<Turn>]

const rate = ({ count, elapsedNs }: Turn): number => (count * 1e9) / elapsedNs

/** A row of the table: charges a second relative to the first row's, and CPU time per charge. */
const row = ([name, turns]: Measured, [, first]: Measured): ReadonlyArray<string> => {
  const { ratio, spread } = compareRounds(first.map(rate), turns.map(rate))
  const middle = (value: (turn: Turn) => number): number => median(turns.map(value))
  const microseconds = (part: (used: Parts) => number): string =>
    String(Math.round(middle(({ used, count }) => part(used) / count / 1e3)))
  return [
    name,
    Math.round(middle(rate)).toString(),
    timesText(ratio),
    spreadText(spread),
    microseconds(({ hosts }) => hosts),
    microseconds(({ postgres }) => postgres),
    microseconds(({ pgbouncer }) => pgbouncer),
    microseconds(({ load }) => load),
  ]
}

const head = [
  "Processes",
  "Charges/s",
  "Beside one, directly",
  "Spread of rounds",
  "Hosts, µs a charge",
  "Postgres, µs",
  "pgbouncer, µs",
  "Asking, µs",
]

const startAll = async (url: string): Promise<ReadonlyArray<Server>> => {
  const servers: Array<Server> = []
  for (let index = 0; index < maxProcesses; index++) servers.push(await startServer("hono", url))
  return servers
}

/**
 * Issues charges through 1, 2 and 4 processes on one Postgres, directly and through pgbouncer, in turns of one second.
 * Tables are emptied before each turn, so later rounds are as fast as the first.
 */
export const processesBench = async (databases: (name: string) => Promise<string>, rounds: number): Promise<string> => {
  const url = await databases("processes")
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const postgresNs = await sessionsCpu(client)
  const pgbouncer = await startPgbouncer(url, connections)
  if (pgbouncer === undefined) console.error("*** pgbouncer is not installed (Debian: apt install pgbouncer): left out")
  const direct = await startAll(url)
  const pooled = pgbouncer === undefined ? [] : await startAll(pgbouncer.url)
  const settings = processCounts.flatMap((count): ReadonlyArray<Setting> => {
    const common = { postgresNs, pgbouncerNs: pgbouncer?.cpuNs ?? (() => 0) }
    const alone = { name: `${count}, directly`, servers: direct.slice(0, count), ...common }
    const behind = { name: `${count}, ${pgbouncer?.version}`, servers: pooled.slice(0, count), ...common }
    return pgbouncer === undefined ? [alone] : [alone, behind]
  })
  try {
    const turns = new Map(settings.map(({ name }) => [name, [] as Array<Turn>]))
    for (let round = -warmUpRounds; round < rounds; round++) {
      await client.query("TRUNCATE pixcharge.charges, pixcharge.charge_texts")
      for (const setting of round % 2 === 0 ? settings : settings.toReversed()) {
        const turn = await takeTurn(setting, turnMs)
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
    await client.end()
  }
}

import pg from "pg"
import { type Server, startServer } from "../http/startServer.ts"
import { quantile } from "../quantile.ts"
import type { Ratio } from "../Ratio.ts"
import { limitOf } from "./limitOf.ts"
import { postgresCpu } from "./ServerCpu.ts"
import { startPgbouncer } from "./startPgbouncer.ts"
import { type Setting, takeTurn, type Turn } from "./Turn.ts"

const processCounts = [1, 2, 4]
const most = Math.max(...processCounts)
const turnMs = 1_000
/** Rounds before the first that counts: V8 has compiled what is used by then. */
const warmUpRounds = 4
/** Of pgbouncer to the server, for all processes together; each process has as many of its own where it connects directly. */
const connections = 10

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** The value that is reached most often. */
const usual = (values: ReadonlyArray<string>): string =>
  [...new Set(values)].toSorted(
    (a, b) => values.filter((x) => x === b).length - values.filter((x) => x === a).length,
  )[0] ?? ""

const row = (turns: ReadonlyArray<Turn>) => {
  const at = (of: (turn: Turn) => number, share = 0.5) => Math.round(quantile(turns.map(of), share))
  const rate = ({ count, elapsedNs }: Turn) => (count * 1e9) / elapsedNs
  const microseconds = (of: (used: Turn["used"]) => number) => at(({ used, count }) => of(used) / count / 1e3)
  return {
    "charges a second": at(rate),
    quartiles: `${at(rate, 0.25)} to ${at(rate, 0.75)}`,
    "host, µs a charge": microseconds(({ hosts }) => sum(hosts)),
    "Postgres, µs": microseconds(({ postgres }) => postgres),
    "pgbouncer, µs": microseconds(({ pgbouncer }) => pgbouncer),
    "asking, µs": microseconds(({ load }) => load),
    "limited by": usual(turns.map(limitOf)),
  }
}

const startAll = async (url: string): Promise<ReadonlyArray<Server>> => {
  const servers: Array<Server> = []
  for (let at = 0; at < most; at++) servers.push(await startServer("hono", url))
  return servers
}

/**
 * Charges issued through 1, 2 and 4 host processes on one Postgres, directly and through pgbouncer, in turns of a second in
 * which all servers are up; a round takes six. Tables are emptied between rounds, so that none is slower than the one before.
 */
export const processesBench = async (
  databases: (name: string) => Promise<string>,
  rounds: number,
): Promise<ReadonlyArray<Ratio>> => {
  const url = await databases("processes")
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // Connections that are still ending when the server stops.
  pool.on("error", () => {})
  const postgresNs = await postgresCpu(pool)
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
      await pool.query("TRUNCATE pixcharge.charges CASCADE")
      for (const setting of round % 2 === 0 ? settings : settings.toReversed()) {
        const turn = await takeTurn(setting, turnMs)
        if (round >= 0) turns.get(setting.name)?.push(turn)
      }
    }
    console.table(Object.fromEntries([...turns].map(([name, each]) => [name, row(each)])))
    return []
  } finally {
    for (const server of [...direct, ...pooled]) await server.stop()
    await pgbouncer?.stop()
    await pool.end()
  }
}

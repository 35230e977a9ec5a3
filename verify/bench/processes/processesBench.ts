import { median } from "../../world/quantile.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { alternate } from "../alternate.ts"
import { compareRounds } from "../compareRounds.ts"
import { openMeter } from "../costs.ts"
import { load } from "../http/load.ts"
import { type Server, startServer } from "../http/startServer.ts"
import { spreadText, timesText } from "../report.ts"
import { startPgbouncer } from "./startPgbouncer.ts"

const processCounts = [1, 2, 4]
/** With fewer connections to each server, fewer charges would share a statement. */
const turn = { connections: 64, durationMs: 1_000, kind: "issue", ids: [] } as const
const warmUp = 4
/**
 * The connections from pgbouncer to Postgres, shared by all processes. Without pgbouncer each process has this many.
 */
const poolSize = 10

const head = [
  "Processes",
  "Charges/s",
  "Beside one, directly",
  "Spread of rounds",
  "Hosts, µs a charge",
  "Postgres, µs",
  "pgbouncer, µs",
]

/** Issues charges through 1, 2 and 4 processes on one Postgres, directly and through pgbouncer, in turns of one second. */
export const processesBench = async (databases: (name: string) => Promise<string>, rounds: number): Promise<string> => {
  const url = await databases("processes")
  const meter = await openMeter(url)
  const pgbouncer = await startPgbouncer(url, poolSize)
  if (pgbouncer === undefined) console.error("*** pgbouncer is not installed (Debian: apt install pgbouncer): left out")
  const ways = [{ name: "directly", url, cpuNs: () => 0 }, ...(pgbouncer === undefined ? [] : [pgbouncer])]
  const servers: Array<Server & { readonly way: string }> = []
  try {
    for (const way of ways)
      for (let index = 0; index < Math.max(...processCounts); index++)
        servers.push({ ...(await startServer("hono", "ours", way.url)), way: way.name })
    const settings = processCounts.flatMap((count) =>
      ways.map(({ name, cpuNs }) => ({
        name: `${count}, ${name}`,
        used: servers.filter(({ way }) => way === name).slice(0, count),
        pgbouncerNs: cpuNs,
      })),
    )
    const turns = await alternate(settings, { rounds, warmUp }, async ({ used, pgbouncerNs }) => {
      // With empty tables, later rounds are as fast as the first.
      await meter.client.query("TRUNCATE pixcharge.charges, pixcharge.charge_texts")
      const [began, before] = [performance.now(), pgbouncerNs()]
      let charges = 0
      const cost = await meter.measure(
        () => used.reduce((sum, { cpuNs }) => sum + cpuNs(), 0),
        async () => {
          const answers = await Promise.all(used.map(({ port, token }) => load({ ...turn, port, token })))
          return (charges = answers.reduce((sum, { count }) => sum + count, 0))
        },
      )
      const pgbouncerUs = (pgbouncerNs() - before) / 1e3 / charges
      return { ...cost, rate: (charges * 1_000) / (performance.now() - began), pgbouncer: pgbouncerUs }
    })
    const figures = (setting: number, of: "rate" | "host" | "postgres" | "pgbouncer") =>
      (turns[setting] ?? []).map((one) => one[of])
    const rows = settings.map(({ name }, index) => {
      const { ratio, spread } = compareRounds(figures(0, "rate"), figures(index, "rate"))
      const middles = (["host", "postgres", "pgbouncer"] as const).map((of) => median(figures(index, of)).toFixed(0))
      return [name, median(figures(index, "rate")).toFixed(0), timesText(ratio), spreadText(spread), ...middles]
    })
    return markdownTable(head, rows)
  } finally {
    for (const server of servers) await server.stop()
    await pgbouncer?.stop()
    await meter.close()
  }
}

import pg from "pg"
import { type MakeContender, steadyMs } from "./Contender.ts"

/** The process of one contender: `contend.js <name> <database> <receiver>`. */

const contenders: Readonly<Record<string, () => Promise<MakeContender>>> = {
  ours: async () => (await import("./ours.ts")).ours,
  pgBoss: async () => (await import("./pgBoss.ts")).pgBoss,
  graphileWorker: async () => (await import("./graphileWorker.ts")).graphileWorker,
}

/** What the process may be asked to do. */
export type Order =
  | { readonly _tag: "Fill"; readonly count: number }
  /** Deliver all that waits; answers with the milliseconds until all of it was recorded as delivered. */
  | { readonly _tag: "Drain"; readonly count: number }
  /** Commit so many events at this pace; answers with the moment of each commit, by event id. */
  | { readonly _tag: "Trickle"; readonly count: number; readonly everyMs: number }

/** So that the database doesn't vacuum and checkpoint for the filling while the deliveries are measured. */
const tidyUp = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
  await client.end()
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const [name = "", databaseUrl = "", receiverUrl = ""] = process.argv.slice(2)
const make = await contenders[name]?.()
if (make === undefined) throw new Error(`no contender is called ${name}`)
const contender = await make(databaseUrl, receiverUrl)

const drain = async (count: number): Promise<number> => {
  const began = steadyMs()
  await contender.start()
  for (;;) {
    const delivered = await contender.delivered()
    const tookMs = steadyMs() - began
    if (delivered >= count) return tookMs
    // Counting costs time of the database, so it is done more often only near the end.
    const leftMs = delivered === 0 ? 1_000 : ((count - delivered) * tookMs) / delivered
    await pause(Math.min(Math.max(leftMs / 2, 20), 1_000))
  }
}

const trickle = async (count: number, everyMs: number): Promise<Record<string, number>> => {
  const committed: Record<string, number> = {}
  const commits: Array<Promise<void>> = []
  await contender.prepare?.(count)
  for (let made = 0; made < count; made++) {
    commits.push(
      contender.commit().then(({ id, at }) => {
        committed[id] = at
      }),
    )
    await pause(everyMs)
  }
  await Promise.all(commits)
  return committed
}

process.on("message", async (order: Order) => {
  switch (order._tag) {
    case "Fill":
      await contender.fill(order.count)
      await tidyUp()
      return process.send?.("filled")
    case "Drain":
      return process.send?.(await drain(order.count))
    case "Trickle":
      return process.send?.(await trickle(order.count, order.everyMs))
  }
})
process.on("disconnect", () => process.exit())
process.send?.("ready")

import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { serveOrders } from "../../world/index.ts"
import { type Contender, type MakeContender, monotonicMs } from "./Contender.ts"

const contenders = {
  ours: async () => (await import("./ours.ts")).ours,
  "pg-boss": async () => (await import("./pgBoss.ts")).pgBoss,
  "graphile-worker": async () => (await import("./graphileWorker.ts")).graphileWorker,
} satisfies Readonly<Record<string, () => Promise<MakeContender>>>

export type ContenderName = keyof typeof contenders

let contender: Contender
let databaseUrl = ""

/** Vacuums and makes a checkpoint after the queue is filled. Otherwise Postgres would do so during the measurement. */
const tidyUp = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
  await client.end()
}

const orders = {
  open: async (name: ContenderName, database: string, receiverUrl: string): Promise<void> => {
    databaseUrl = database
    contender = await (await contenders[name]())(database, receiverUrl)
  },
  fill: async (count: number): Promise<void> => {
    await contender.fill(count)
    await tidyUp()
  },
  /** Delivers the backlog. Returns the milliseconds until all of it is recorded as delivered. */
  drain: async (count: number): Promise<number> => {
    const began = monotonicMs()
    await contender.start()
    for (;;) {
      const delivered = await contender.countDelivered()
      const tookMs = monotonicMs() - began
      if (delivered >= count) return tookMs
      // Counts often only near the end, because counting costs database time.
      const leftMs = delivered === 0 ? 1_000 : ((count - delivered) * tookMs) / delivered
      await pause(Math.min(Math.max(leftMs / 2, 20), 1_000))
    }
  },
  trickle: async (count: number, everyMs: number): Promise<Readonly<Record<string, number>>> => {
    const commits: Array<ReturnType<Contender["commit"]>> = []
    await contender.prepare?.(count)
    for (let made = 0; made < count; made++) {
      commits.push(contender.commit())
      await pause(everyMs)
    }
    return Object.fromEntries((await Promise.all(commits)).map(({ id, at }) => [id, at]))
  },
}

export type ContenderOrders = typeof orders

serveOrders(orders)

import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { serveOrders } from "../../world/index.ts"
import type { Contender, MakeContender } from "./Contender.ts"

const contenders = {
  ours: async () => (await import("./ours.ts")).ours,
  "pg-boss": async () => (await import("./pgBoss.ts")).pgBoss,
  "graphile-worker": async () => (await import("./graphileWorker.ts")).graphileWorker,
} satisfies Readonly<Record<string, () => Promise<MakeContender>>>

export type ContenderName = keyof typeof contenders

let contender: Contender
let databaseUrl = ""
let drained = 0

/** Vacuums after the queue is filled. Otherwise Postgres would do so during the measurement. */
const tidyUp = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("VACUUM ANALYZE")
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
  start: () => contender.start(),
  /** Waits until this many are recorded as delivered. Returns how many were since the last call. */
  drain: async (count: number): Promise<number> => {
    const before = drained
    const began = performance.now()
    for (;;) {
      drained = await contender.countDelivered()
      if (drained >= count) return drained - before
      // Counts often only near the end, because counting costs database time.
      const eachMs = (performance.now() - began) / Math.max(drained - before, 1)
      await pause(Math.min(Math.max(((count - drained) * eachMs) / 2, 20), 500))
    }
  },
}

export type ContenderOrders = typeof orders

serveOrders(orders)

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "../world/index.ts"
import { alternate } from "./alternate.ts"
import type { Ratio } from "./compareRounds.ts"
import { compareCosts, type Cost, cpuNsOfThreads, openMeter } from "./costs.ts"
import type { ContenderName, ContenderOrders } from "./deliveries/contend.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

const peers = ["pg-boss", "graphile-worker"] as const satisfies ReadonlyArray<ContenderName>

const maxRounds = 5
const filled = 13_000
/** The deliveries after which V8 has compiled the hot code. */
const warmUp = 3_000

const measure = async (name: ContenderName, databaseUrl: string): Promise<Cost> => {
  let received = 0
  const receiver = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    received++
    response.end()
  })
  await once(receiver.listen(0, "127.0.0.1"), "listening")
  const contender = new Worker<ContenderOrders>(`${import.meta.dirname}/deliveries/contend.js`)
  const meter = await openMeter(databaseUrl)
  /** Waits until this many deliveries are recorded. Counts records only near the end, to spare the database. */
  const drain = async (count: number): Promise<number> => {
    while (received < count) await pause(20)
    for (;;) {
      const delivered = await contender.ask("countDelivered")
      if (delivered >= count) return delivered
      await pause(20)
    }
  }
  try {
    await contender.ask("open", name, databaseUrl, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)
    await contender.ask("fill", filled)
    // Otherwise Postgres would vacuum during the measurement.
    await meter.client.query("VACUUM ANALYZE")
    await contender.ask("start")
    const before = await drain(warmUp)
    return await meter.measure(
      () => cpuNsOfThreads(contender.pid),
      async () => (await drain(filled)) - before,
    )
  } finally {
    await meter.close()
    await contender.end()
    receiver.closeAllConnections()
    receiver.close()
  }
}

/** Compares our deliveries to a local receiver with job queues that send the same POSTs from the same Postgres. */
export const deliveriesBench = async (
  databases: (name: string) => Promise<string>,
  rounds: number,
): Promise<ReadonlyArray<Ratio>> => {
  const names = ["ours", ...peers] as const
  const [ours = [], ...others] = await alternate(names, { rounds: Math.min(rounds, maxRounds) }, async (name) =>
    measure(name, await databases("deliveries")),
  )
  return peers.map((name, index) => ({
    what: "a callback's delivery",
    peer: nameWithVersion(name),
    ...compareCosts(ours, others[index] ?? []),
    goal: 1,
  }))
}

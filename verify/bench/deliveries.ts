import { Worker } from "../world/index.ts"
import type { Ratio } from "./compareRounds.ts"
import { compareCosts, type Cost, openMeter } from "./costs.ts"
import type { ContenderName, ContenderOrders } from "./deliveries/contend.ts"
import type { ReceiverOrders } from "./deliveries/receiver.ts"
import { nameWithVersion } from "./nameWithVersion.ts"
import { cpuNsOfThreads } from "./processes/ServerCpu.ts"

const peers = ["pg-boss", "graphile-worker"] as const satisfies ReadonlyArray<ContenderName>

const maxRounds = 5
const filled = 13_000
/** The deliveries after which V8 has compiled the hot code. */
const warmUp = 3_000

const measure = async (name: ContenderName, databaseUrl: string): Promise<Cost> => {
  const receiver = new Worker<ReceiverOrders>(`${import.meta.dirname}/deliveries/receiver.js`)
  const contender = new Worker<ContenderOrders>(`${import.meta.dirname}/deliveries/contend.js`)
  const meter = await openMeter(databaseUrl)
  try {
    await contender.ask("open", name, databaseUrl, `http://127.0.0.1:${await receiver.ask("listen")}`)
    await contender.ask("fill", filled)
    await contender.ask("start")
    await contender.ask("drain", warmUp)
    return await meter.measure(
      () => cpuNsOfThreads(contender.pid),
      () => contender.ask("drain", filled),
    )
  } finally {
    await meter.close()
    await Promise.all([contender.end(), receiver.end()])
  }
}

/** Compares our deliveries to a local receiver with job queues that send the same POSTs from the same Postgres. */
export const deliveriesBench = async (
  databases: (name: string) => Promise<string>,
  rounds: number,
): Promise<ReadonlyArray<Ratio>> => {
  const measured = { ours: [], "pg-boss": [], "graphile-worker": [] } as Record<ContenderName, Array<Cost>>
  for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
    // The contenders take turns, so other load on the machine affects all of them.
    for (const name of ["ours", ...peers] as const)
      measured[name].push(await measure(name, await databases(`deliveries_${name}_${round}`)))
  }
  return peers.map((name) => ({
    what: "a callback's delivery",
    peer: nameWithVersion(name),
    ...compareCosts(measured.ours, measured[name]),
    goal: 1,
  }))
}

import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "../world/index.ts"
import { quantile } from "../world/quantile.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import type { ContenderName, ContenderOrders } from "./deliveries/contend.ts"
import type { ReceiverOrders } from "./deliveries/receiver.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

const peers = ["pg-boss", "graphile-worker"] as const satisfies ReadonlyArray<ContenderName>

const maxRounds = 3
const filled = 30_000
const commits = 500
const commitEveryMs = 4

interface Measured {
  readonly drain: number
  /** The 99th percentile of the milliseconds from a commit to the first byte at the receiver. */
  readonly firstByteMs: number
}

const measure = async (name: ContenderName, databaseUrl: string): Promise<Measured> => {
  const receiver = new Worker<ReceiverOrders>(`${import.meta.dirname}/deliveries/receiver.js`)
  const contender = new Worker<ContenderOrders>(`${import.meta.dirname}/deliveries/contend.js`)
  try {
    await contender.ask("open", name, databaseUrl, `http://127.0.0.1:${await receiver.ask("listen")}`)
    await contender.ask("fill", filled)
    const drainMs = await contender.ask("drain", filled)
    await receiver.ask("arrivals")
    const committed = await contender.ask("trickle", commits, commitEveryMs)
    await pause(2_000)
    const arrived = await receiver.ask("arrivals")
    const waits = Object.entries(committed).map(([id, at]) => (arrived[id] ?? Number.POSITIVE_INFINITY) - at)
    return { drain: (drainMs * 1e6) / filled, firstByteMs: quantile(waits, 0.99) }
  } finally {
    await Promise.all([contender.end(), receiver.end()])
  }
}

/** Compares our deliveries to a local receiver with job queues that send the same POSTs from the same Postgres. */
export const deliveriesBench = async (
  databases: (name: string) => Promise<string>,
  rounds: number,
): Promise<ReadonlyArray<Ratio>> => {
  const measured = { ours: [], "pg-boss": [], "graphile-worker": [] } as Record<ContenderName, Array<Measured>>
  for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
    // The contenders take turns, so other load on the machine affects all of them.
    for (const name of ["ours", ...peers] as const) {
      const one = await measure(name, await databases(`deliveries_${name}_${round}`))
      console.error(
        `  ${name}: ${Math.round(1e9 / one.drain)}/s, p99 of commit to first byte ${one.firstByteMs.toFixed(1)} ms`,
      )
      measured[name].push(one)
    }
  }
  return peers.flatMap((name): ReadonlyArray<Ratio> => {
    const compare = (field: keyof Measured) => {
      const [ours, theirs] = [measured.ours, measured[name]].map((each) => each.map((one) => one[field]))
      return compareRounds(ours ?? [], theirs ?? [])
    }
    const peer = nameWithVersion(name)
    return [
      { what: `callback deliveries/s, ${filled} waiting`, peer, ...compare("drain"), goal: 1 },
      { what: "commit to first byte, p99", peer, ...compare("firstByteMs"), goal: 1 },
    ]
  })
}

import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import type { Order } from "./deliveries/contend.ts"
import type { Arrivals } from "./deliveries/receiver.ts"
import { compareRounds } from "./compareRounds.ts"
import type { Ratio } from "./Ratio.ts"

const contenders = ["ours", "pgBoss", "graphileWorker"] as const
type Name = (typeof contenders)[number]

const peers: Readonly<Record<Exclude<Name, "ours">, string>> = {
  pgBoss: "pg-boss 10",
  graphileWorker: "graphile-worker 0.16",
}

const rounds = 3
const filled = 30_000
const commits = 500
const commitEveryMs = 4

const message = async (child: ChildProcess): Promise<unknown> => {
  const ended = new AbortController()
  const gone = once(child, "exit", { signal: ended.signal }).then(() => {
    throw new Error("a process of the benchmark ended too early")
  })
  const [received] = (await Promise.race([once(child, "message"), gone])) as [unknown]
  ended.abort()
  gone.catch(() => undefined)
  return received
}

const ask = (child: ChildProcess, order: Order | "arrivals"): Promise<unknown> => {
  child.send(order)
  return message(child)
}

interface Measured {
  /** Nanoseconds a delivery, of many that wait. */
  readonly drain: number
  /** Milliseconds from a commit to the first byte at the receiver: all but the slowest hundredth. */
  readonly firstByteMs: number
}

const percentile99 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0

const measure = async (name: Name, databaseUrl: string): Promise<Measured> => {
  const receiver = fork(`${import.meta.dirname}/deliveries/receiver.js`)
  const { port } = (await message(receiver)) as { port: number }
  const contender = fork(`${import.meta.dirname}/deliveries/contend.js`, [
    name,
    databaseUrl,
    `http://127.0.0.1:${port}`,
  ])
  await message(contender)
  await ask(contender, { _tag: "Fill", count: filled })
  const drainMs = (await ask(contender, { _tag: "Drain", count: filled })) as number
  await ask(receiver, "arrivals")
  const committed = (await ask(contender, { _tag: "Trickle", count: commits, everyMs: commitEveryMs })) as Arrivals
  await pause(2_000)
  const arrived = (await ask(receiver, "arrivals")) as Arrivals
  contender.disconnect()
  receiver.disconnect()
  const waits = Object.entries(committed).map(([id, at]) => (arrived[id] ?? Number.POSITIVE_INFINITY) - at)
  return { drain: (drainMs * 1e6) / filled, firstByteMs: percentile99(waits) }
}

/** Deliveries from Postgres to a local receiver, beside job queues whose jobs do the same POSTs on the same server. */
export const deliveriesBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const measured = new Map(contenders.map((name) => [name, [] as Array<Measured>]))
  for (let round = 0; round < rounds; round++) {
    // They take turns, so that other load on the machine weighs on all alike.
    for (const name of contenders) {
      const one = await measure(name, await databases(`deliveries_${name.toLowerCase()}_${round}`))
      console.error(
        `  ${name}: ${Math.round(1e9 / one.drain)}/s, p99 of commit to first byte ${one.firstByteMs.toFixed(1)} ms`,
      )
      measured.get(name)?.push(one)
    }
  }
  const compare = (peer: Name, field: keyof Measured) => {
    const [ours, theirs] = (["ours", peer] as const).map((name) => (measured.get(name) ?? []).map((one) => one[field]))
    return compareRounds(ours ?? [], theirs ?? [])
  }
  return (["pgBoss", "graphileWorker"] as const).flatMap((name): ReadonlyArray<Ratio> => {
    const peer = peers[name]
    return [
      { what: `callback deliveries/s, ${filled} waiting`, peer, ...compare(name, "drain"), goal: 3 },
      { what: "commit to first byte, p99", peer, ...compare(name, "firstByteMs"), goal: 1 },
    ]
  })
}

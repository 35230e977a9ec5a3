import { describe, expect, it, onTestFinished } from "vitest"
import { callsWithin, type Span } from "../callsWithin.ts"
import type { ClusterNode } from "../Cluster.ts"
import { type Chaos, openChaos } from "../openChaos.ts"
import { testCluster } from "./testCluster.ts"

const cluster = await testCluster()
const [first, second] = cluster.workers as [ClusterNode, ClusterNode]

const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))

/** For so long a node is down. */
const downMs = 12_000
/** After this time every statement that was under way at the node has failed. */
const noticedMs = 2_000

interface Downtime {
  /** From the kill on until it takes connections again. */
  readonly whole: Span
  /** While everybody had noticed. */
  readonly noticed: Span
}

/** Kills a node under load and starts it again. */
const bringDown = async ({ sell }: Chaos, node: ClusterNode): Promise<Downtime> => {
  const server = await cluster.processOf(node)
  const load = sell(300)
  try {
    await wait(4_000)
    const from = Date.now()
    await server.kill()
    const killedAt = Date.now()
    try {
      await wait(downMs)
    } finally {
      await server.start()
    }
    const until = Date.now()
    await wait(6_000)
    return { whole: { from, until }, noticed: { from: killedAt + noticedMs, until: killedAt + downMs } }
  } finally {
    await load.stop()
  }
}

describe("a node that is killed under load and comes back", { tags: ["killsNodes"] }, () => {
  it("a worker: nothing is lost, its companies' calls fail as StoreUnavailable, all others go on", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, first, second])
    onTestFinished(() => chaos.close())
    const owners = await cluster.owners(chaos.schema, chaos.issuers)
    const { whole, noticed: down } = await bringDown(chaos, first)
    expect(await chaos.flaws([whole])).toEqual([])
    const { answered, failed } = callsWithin(chaos.ledger.calls, down)
    const needsIt = ({ host, issuer }: { host: string; issuer: string }) =>
      host === first.name || owners.get(issuer) === first
    expect(answered.filter(needsIt)).toEqual([])
    expect(failed.filter((call) => !needsIt(call))).toEqual([])
    expect(answered.length).toBeGreaterThan(cluster.workers.length)
  })

  it("the coordinator: nothing is lost, and hosts at workers issue, pay, read, refund and deliver as before", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, first, second])
    onTestFinished(() => chaos.close())
    const { whole, noticed: down } = await bringDown(chaos, cluster.coordinator)
    expect(await chaos.flaws([whole])).toEqual([])
    const { answered, failed } = callsWithin(chaos.ledger.calls, down)
    const needsIt = ({ host }: { host: string }) => host === cluster.coordinator.name
    expect(failed.filter((call) => !needsIt(call))).toEqual([])
    expect(new Set(answered.map(({ operation }) => operation))).toEqual(new Set(["issue", "find", "pay", "refund"]))
    expect(new Set(answered.map(({ issuer }) => issuer)).size).toBeGreaterThan(cluster.workers.length)
    const arrived = chaos.ledger.received.filter(({ arrivedAt }) => arrivedAt > down.from && arrivedAt < down.until)
    expect(arrived.length).toBeGreaterThan(0)
  })
})

import { describe, expect, it, onTestFinished } from "vitest"
import { callsWithin, type Span } from "../src/callsWithin.ts"
import type { ClusterNode } from "../src/Cluster.ts"
import { type Chaos, openChaos } from "../src/openChaos.ts"
import { testCluster } from "./testCluster.ts"

const cluster = await testCluster()
const [first, second] = cluster.workers as [ClusterNode, ClusterNode]

const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))

/** For so long a node is down. */
const downMs = 12_000
/** After this time every statement that was under way at the node has failed. */
const noticedMs = 2_000

/**
 * A node that dies forgets the leases that it hadn't written yet, and a host at it can't settle what it has sent before its lease
 * ends: another one sends that again, once.
 */
const mostTold = 2

/** Kills a node under load and starts it again. The span in which it was down. */
const bringDown = async ({ sell }: Chaos, node: ClusterNode): Promise<Span> => {
  const server = await cluster.processOf(node)
  const load = sell(300)
  try {
    await wait(4_000)
    await server.kill()
    const from = Date.now() + noticedMs
    try {
      await wait(downMs)
    } finally {
      await server.start()
    }
    const until = from - noticedMs + downMs
    await wait(6_000)
    return { from, until }
  } finally {
    await load.stop()
  }
}

describe("a node that is killed under load and comes back", { tags: ["killsNodes"] }, () => {
  it("a worker: nothing is lost, its companies' calls fail as StoreUnavailable, all others go on", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, first, second])
    onTestFinished(() => chaos.close())
    const owners = await cluster.owners(chaos.schema, chaos.issuers)
    const down = await bringDown(chaos, first)
    expect(await chaos.flaws(mostTold)).toEqual([])
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
    const down = await bringDown(chaos, cluster.coordinator)
    expect(await chaos.flaws(mostTold)).toEqual([])
    const { answered, failed } = callsWithin(chaos.ledger.calls, down)
    const needsIt = ({ host }: { host: string }) => host === cluster.coordinator.name
    expect(failed.filter((call) => !needsIt(call))).toEqual([])
    expect(new Set(answered.map(({ operation }) => operation))).toEqual(new Set(["issue", "find", "pay", "refund"]))
    expect(new Set(answered.map(({ issuer }) => issuer)).size).toBeGreaterThan(cluster.workers.length)
    const arrived = chaos.ledger.received.filter(({ arrivedAt }) => arrivedAt > down.from && arrivedAt < down.until)
    expect(arrived.length).toBeGreaterThan(0)
  })
})

import { describe, expect, it, onTestFinished } from "vitest"
import { callsWithin, during, type Span } from "../src/callsWithin.ts"
import type { ClusterNode } from "../src/Cluster.ts"
import { type Chaos, openChaos } from "../src/openChaos.ts"
import { testCluster } from "./testCluster.ts"

const cluster = await testCluster()

/** What operators of a cluster do with its shards, one thing after the other. */
const rearrange = async ({ schema, issuers }: Chaos): Promise<Readonly<Record<string, Span>>> => {
  const [to, other] = cluster.workers as [ClusterNode, ClusterNode]
  const [first, second, third] = (await cluster.shards(schema)).filter(({ group }) => group !== to.group)
  if (first === undefined || second === undefined || third === undefined) throw new Error("three shards lie elsewhere")
  return {
    move: await during(() => cluster.move(first, to, "force_logical")),
    blockingMove: await during(() => cluster.move(second, to, "block_writes")),
    rebalance: await during(() => cluster.rebalance()),
    split: await during(() => cluster.split(third, [to, other])),
    isolation: await during(() => cluster.isolate(schema, issuers[0] as string)),
  }
}

describe("shards that are rearranged under load", () => {
  it("lose, double and misplace nothing that was acknowledged, and calls go on", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, ...cluster.workers.slice(0, 2)])
    onTestFinished(() => chaos.close())
    const load = chaos.sell(300)
    onTestFinished(() => load.stop())
    const spans = await rearrange(chaos)
    await load.stop()
    expect(await chaos.flaws(1)).toEqual([])
    for (const span of Object.values(spans)) {
      expect(callsWithin(chaos.ledger.calls, span).answered.length).toBeGreaterThan(0)
    }
  })
})

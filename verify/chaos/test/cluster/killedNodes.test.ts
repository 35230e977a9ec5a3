import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { Chaos } from "../../Chaos.ts"
import type { CitusCluster, ClusterNode } from "../../database/CitusCluster.ts"
import type { Attempt, Span } from "../../judge/Evidence.ts"
import { judge } from "../../judge/judge.ts"
import { closeAfterEach } from "../opened.ts"
import { attemptsWithin, openCluster } from "./openCluster.ts"

/** After this time every statement under way at the node has failed. */
const noticedMs = 2_000
const downMs = 10_000

closeAfterEach()

/** Kills a node and restarts it. Returns the span of the outage from the moment when all hosts had noticed. */
const bringDown = async (cluster: CitusCluster, chaos: Chaos, node: ClusterNode): Promise<Span> => {
  await chaos.callers.waitForMore("ended", 300)
  const incident = { fault: "killNode", from: Date.now(), until: Infinity }
  chaos.incidents.push(incident)
  let span: Span | undefined
  await cluster.kill(node, async () => {
    await sleep(noticedMs)
    const from = Date.now()
    await sleep(downMs)
    span = { from, until: Date.now() }
  })
  incident.until = Date.now()
  await sleep(6_000)
  return span as unknown as Span
}

const hostAt = ({ hosts }: Chaos, node: ClusterNode): string | undefined =>
  hosts.places.find(({ target }) => target === node)?.host?.name

describe("a node that is killed under load and restarts", { tags: ["killsNodes"] }, () => {
  it("loses no data and fails only the calls of its own companies if it is a worker", async () => {
    const { cluster, chaos } = await openCluster()
    const [worker] = cluster.workers as [ClusterNode]
    const homes = await cluster.homes(chaos.issuers)
    const onWorker = new Set(
      (await cluster.shards("charges")).filter(({ group }) => group === worker.group).map(({ id }) => id),
    )
    const host = hostAt(chaos, worker)
    const down = await bringDown(cluster, chaos, worker)
    expect(judge(await chaos.finish())).toEqual([])
    const { answered, failed } = attemptsWithin(chaos, down)
    const needsIt = (one: Attempt) => one.host === host || onWorker.has(String(homes.get(one.issuer)))
    expect(answered.filter(needsIt)).toEqual([])
    // A notice first claims its payment at the node that has the payment's id.
    expect(failed.filter((one) => !needsIt(one) && one.operation !== "confirmPayment")).toEqual([])
    expect(answered.length).toBeGreaterThan(cluster.workers.length)
  })

  it("loses no data and fails no call of hosts at workers if it is the coordinator", async () => {
    const { cluster, chaos } = await openCluster()
    const host = hostAt(chaos, cluster.coordinator)
    const down = await bringDown(cluster, chaos, cluster.coordinator)
    expect(judge(await chaos.finish())).toEqual([])
    const { answered, failed } = attemptsWithin(chaos, down)
    expect(failed.filter((one) => one.host !== host)).toEqual([])
    const operations = new Set(answered.map(({ operation }) => operation))
    expect(
      ["issue", "find", "confirmPayment", "refund"].filter((one) => !operations.has(one as Attempt["operation"])),
    ).toEqual([])
    expect(new Set(answered.map(({ issuer }) => issuer)).size).toBeGreaterThan(cluster.workers.length)
    expect(chaos.receipts.filter(({ at }) => at > down.from && at < down.until)).not.toEqual([])
  })
})

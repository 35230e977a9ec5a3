import { describe, expect, it, onTestFinished } from "vitest"
import { callsWithin, type Span } from "../src/callsWithin.ts"
import type { ClusterNode } from "../src/Cluster.ts"
import { holdMoves } from "../src/holdMoves.ts"
import type { MadeCall } from "../src/Ledger.ts"
import { type Chaos, openChaos } from "../src/openChaos.ts"
import { testCluster } from "./testCluster.ts"

const cluster = await testCluster()

/** No process dies, and a move takes leases with it: nothing has to be sent again. */
const mostTold = 1

/** Within this time a host makes each company's next call, and one that waits for a move has failed. */
const pollMs = 60_000

/** The span in which a move was held up, and the companies whose shards it had stopped. */
interface HeldSpan extends Span {
  readonly stopped: ReadonlyArray<string>
}

const spanOf = ({ beganAt, tookMs }: MadeCall): Span => ({ from: beganAt, until: beganAt + tookMs })

const companiesOf = (calls: ReadonlyArray<MadeCall>): ReadonlySet<string> => new Set(calls.map(({ issuer }) => issuer))

/**
 * Holds a move up while it has stopped a shard, until each other company's call was answered and a call of a company that is there has
 * waited in vain. Then it goes on, and all companies are answered again.
 */
const holdUp = async (chaos: Chaos, move: () => Promise<void>): Promise<HeldSpan> => {
  const { schema, issuers, ledger } = chaos
  const since = (from: number) => callsWithin(ledger.calls, { from, until: Date.now() })
  const unanswered = (companies: ReadonlyArray<string>, from: number) => {
    const answered = companiesOf(since(from).answered)
    return companies.filter((company) => !answered.has(company))
  }
  const homes = await cluster.homes(schema, issuers)
  const held = await holdMoves(cluster.coordinator)
  const moving = move()
  let span: HeldSpan
  try {
    const shards = await Promise.race([
      held.stopped(),
      moving.then(() => Promise.reject(new Error("the move wasn't held up"))),
    ])
    const stopped = issuers.filter((company) => shards.has(String(homes.get(company))))
    const others = issuers.filter((company) => !stopped.includes(company))
    const from = Date.now()
    await expect.poll(() => unanswered(others, from), { timeout: pollMs }).toEqual([])
    const hasWaited = () => since(from).failed.some(({ issuer }) => stopped.includes(issuer))
    if (stopped.length > 0) await expect.poll(hasWaited, { timeout: pollMs }).toBe(true)
    span = { from, until: Date.now(), stopped }
  } finally {
    await held.release()
    await moving
  }
  await expect.poll(() => unanswered(issuers, span.until), { timeout: pollMs }).toEqual([])
  return span
}

/** What operators of a cluster do with its shards, one thing after the other. */
const rearrange = async (chaos: Chaos): Promise<Readonly<Record<string, HeldSpan>>> => {
  const { schema, issuers } = chaos
  const [to, other] = cluster.workers as [ClusterNode, ClusterNode]
  const inUse = new Set((await cluster.homes(schema, issuers)).values())
  const [first, second, third] = (await cluster.shards(schema)).filter(
    ({ group, id }) => group !== to.group && inUse.has(id),
  )
  if (first === undefined || second === undefined || third === undefined) throw new Error("three shards lie elsewhere")
  return {
    move: await holdUp(chaos, () => cluster.move(first, to, "force_logical")),
    blockingMove: await holdUp(chaos, () => cluster.move(second, to, "block_writes")),
    rebalance: await holdUp(chaos, () => cluster.rebalance()),
    split: await holdUp(chaos, () => cluster.split(third, [to, other])),
    isolation: await holdUp(chaos, () => cluster.isolate(schema, issuers[0] as string)),
  }
}

describe("shards that are rearranged under load", () => {
  it("lose, double and misplace nothing, hold up their own companies' calls alone, and these fail as StoreUnavailable", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, ...cluster.workers.slice(0, 2)])
    onTestFinished(() => chaos.close())
    const { calls } = chaos.ledger
    const load = chaos.sell(300)
    onTestFinished(() => load.stop())
    const spans = await rearrange(chaos)
    await load.stop()
    expect(await chaos.flaws(mostTold)).toEqual([])
    for (const [what, { stopped, ...span }] of Object.entries(spans)) {
      const isStopped = ({ issuer }: MadeCall) => stopped.includes(issuer)
      const { answered, failed } = callsWithin(calls, span)
      expect(answered.filter(isStopped), what).toEqual([])
      expect(
        failed.filter((call) => !isStopped(call)),
        what,
      ).toEqual([])
      expect(
        failed.filter(({ failure }) => failure !== "StoreUnavailable"),
        what,
      ).toEqual([])
      const [waited] = failed
      // While one call waited, every other company's next call came and went.
      if (waited !== undefined)
        expect(companiesOf(callsWithin(calls, spanOf(waited)).answered).size, what).toBe(
          chaos.issuers.length - stopped.length,
        )
      console.log(what, stopped.length, span.until - span.from, answered.length, failed.length, waited?.tookMs)
    }
  })
})

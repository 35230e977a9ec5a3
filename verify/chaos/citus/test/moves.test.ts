import { describe, expect, it, onTestFinished } from "vitest"
import { callsWithin, type Span } from "../callsWithin.ts"
import type { ClusterNode } from "../Cluster.ts"
import { holdMoves } from "../holdMoves.ts"
import type { MadeCall } from "../Ledger.ts"
import { type Chaos, openChaos } from "../openChaos.ts"
import { testCluster } from "./testCluster.ts"

const cluster = await testCluster()

/** What happens meanwhile: each company's next call is answered, and one that waits for a move gives up. */
const polling = { timeout: 60_000 }

/** A move that was held up. */
interface HeldMove {
  /** From its beginning to its end. */
  readonly whole: Span
  /** While it was held up. */
  readonly held: Span
  /** The companies whose shard it had stopped. */
  readonly stopped: ReadonlyArray<string>
}

interface Move {
  readonly make: () => Promise<void>
  /** The shards that it stops; to be asked while it is held up. */
  readonly stops: () => Promise<ReadonlyArray<string>>
}

const companiesOf = (calls: ReadonlyArray<MadeCall>): ReadonlyArray<string> => [
  ...new Set(calls.map(({ issuer }) => issuer)),
]

const spanOf = ({ beganAt, tookMs }: MadeCall): Span => ({ from: beganAt, until: beganAt + tookMs })

/** Those of some companies that no call was answered to that was begun since then. */
const unanswered = ({ ledger }: Chaos, companies: ReadonlyArray<string>, from: number): ReadonlyArray<string> => {
  const answered = new Set(companiesOf(callsWithin(ledger.calls, { from, until: Date.now() }).answered))
  return companies.filter((company) => !answered.has(company))
}

/** Waits until each other company has been answered, and a call of one that is stopped has failed. */
const lookOn = async (chaos: Chaos, stopped: ReadonlyArray<string>): Promise<Span> => {
  const from = Date.now()
  const others = chaos.issuers.filter((company) => !stopped.includes(company))
  const failed = () => companiesOf(callsWithin(chaos.ledger.calls, { from, until: Date.now() }).failed)
  await expect.poll(() => unanswered(chaos, others, from), polling).toEqual([])
  await expect
    .poll(() => stopped.length === 0 || failed().some((company) => stopped.includes(company)), polling)
    .toBe(true)
  return { from, until: Date.now() }
}

/** Makes a move, which is held up while it has stopped its shard. Afterwards all companies are answered again. */
const holdUp = async (chaos: Chaos, { make, stops }: Move): Promise<HeldMove> => {
  const homes = await cluster.homes(chaos.schema, chaos.issuers)
  const from = Date.now()
  const hold = await holdMoves(cluster.coordinator)
  const made = make()
  const madeAtOnce = made.then(() => Promise.reject(new Error("the move was not held up")))
  const look = async () => {
    const shards = await stops()
    const stopped = chaos.issuers.filter((company) => shards.includes(String(homes.get(company))))
    return { held: await lookOn(chaos, stopped), stopped }
  }
  const seen = await Promise.race([hold.met(), madeAtOnce]).then(look).finally(hold.release)
  await made
  const until = Date.now()
  await expect.poll(() => unanswered(chaos, chaos.issuers, until), polling).toEqual([])
  return { whole: { from, until }, ...seen }
}

/** What operators of a cluster do with its shards, one thing after the other. */
const rearrange = async (chaos: Chaos): Promise<Readonly<Record<string, HeldMove>>> => {
  const { schema, issuers } = chaos
  const [to, other] = cluster.workers as [ClusterNode, ClusterNode]
  const homes = await cluster.homes(schema, issuers)
  const inUse = new Set(homes.values())
  const [first, second, third] = (await cluster.shards(schema)).filter(
    ({ group, id }) => group !== to.group && inUse.has(id),
  )
  if (first === undefined || second === undefined || third === undefined) throw new Error("three shards lie elsewhere")
  const isolated = issuers.find((company) => homes.get(company) !== third.id) as string
  const hold = (ids: ReadonlyArray<string | undefined>, make: () => Promise<void>) =>
    holdUp(chaos, { make, stops: async () => ids.map(String) })
  return {
    move: await hold([first.id], () => cluster.move(first, to, "force_logical")),
    blockingMove: await hold([second.id], () => cluster.move(second, to, "block_writes")),
    rebalance: await holdUp(chaos, { make: cluster.rebalance, stops: cluster.moving }),
    split: await hold([third.id], () => cluster.split(third, [to, other])),
    isolation: await hold([homes.get(isolated)], () => cluster.isolate(schema, isolated)),
  }
}

describe("shards that are rearranged under load", () => {
  it("lose, double and misplace nothing, hold up no call of other shards, and fail those of their own as StoreUnavailable", async () => {
    const chaos = await openChaos(cluster, [cluster.coordinator, ...cluster.workers.slice(0, 2)])
    onTestFinished(() => chaos.close())
    const load = chaos.sell(300)
    onTestFinished(() => load.stop())
    const moves = await rearrange(chaos)
    await load.stop()
    for (const [what, { held, stopped }] of Object.entries(moves)) {
      const isStopped = ({ issuer }: MadeCall) => stopped.includes(issuer)
      const { answered, failed } = callsWithin(chaos.ledger.calls, held)
      expect(answered.filter(isStopped), what).toEqual([])
      expect(
        failed.filter((call) => !isStopped(call) || call.failure !== "StoreUnavailable"),
        what,
      ).toEqual([])
      // While one call waited, others of all other companies were begun and answered.
      const waited = failed.map(spanOf)[0] ?? held
      const passed = companiesOf(callsWithin(chaos.ledger.calls, waited).answered)
      expect(
        chaos.issuers.filter((company) => !stopped.includes(company) && !passed.includes(company)),
        what,
      ).toEqual([])
    }
    expect(await chaos.flaws(Object.values(moves).map(({ whole }) => whole))).toEqual([])
  })
})

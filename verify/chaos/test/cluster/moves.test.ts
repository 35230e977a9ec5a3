import { expect, it } from "vitest"
import type { Chaos } from "../../Chaos.ts"
import type { CitusCluster, ClusterNode } from "../../database/CitusCluster.ts"
import type { Attempt, Span } from "../../judge/Evidence.ts"
import { judge } from "../../judge/judge.ts"
import { closeAfterEach } from "../opened.ts"
import { attemptsWithin, openCluster } from "./openCluster.ts"

closeAfterEach()

/** The time within which each company's next call is answered, and a call that waits for a move gives up. */
const polling = { timeout: 90_000 }

const waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'pg_dist_placement'::regclass"

interface Move {
  readonly make: () => Promise<void>
  readonly stops: () => Promise<ReadonlyArray<unknown>>
}

const listCompanies = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<string> => [
  ...new Set(attempts.map(({ issuer }) => issuer)),
]

const unanswered = (chaos: Chaos, companies: ReadonlyArray<string>, from: number): ReadonlyArray<string> => {
  const answered = new Set(listCompanies(attemptsWithin(chaos, { from, until: Date.now() }).answered))
  return companies.filter((company) => !answered.has(company))
}

/** Waits until every company that isn't stopped got an answer and the call of a stopped company failed. */
const lookOn = async (chaos: Chaos, stopped: ReadonlyArray<string>): Promise<Span> => {
  const from = Date.now()
  const others = chaos.issuers.filter((company) => !stopped.includes(company))
  const failedCompanies = () => listCompanies(attemptsWithin(chaos, { from, until: Date.now() }).failed)
  await expect.poll(() => unanswered(chaos, others, from), polling).toEqual([])
  const hasFailed = () => stopped.length === 0 || failedCompanies().some((company) => stopped.includes(company))
  await expect.poll(hasFailed, polling).toBe(true)
  return { from, until: Date.now() }
}

/**
 * Stops a move while it records the shard's new place, when every node has stopped writes to the shard. Afterwards all
 * companies must get answers again.
 */
const holdUp = async (cluster: CitusCluster, chaos: Chaos, what: string, { make, stops }: Move): Promise<void> => {
  const homes = await cluster.homes(chaos.issuers)
  const incident = { fault: what, from: Date.now(), until: Infinity }
  chaos.incidents.push(incident)
  const session = await cluster.pool.connect()
  await session.query("BEGIN")
  await session.query("LOCK TABLE pg_dist_placement IN SHARE MODE")
  const made = make()
  let stopped: ReadonlyArray<string> = []
  let held: Span
  try {
    await expect.poll(async () => (await session.query(waits)).rowCount, polling).toBeGreaterThan(0)
    const shards = await stops()
    stopped = chaos.issuers.filter((company) => shards.includes(homes.get(company)))
    held = await lookOn(chaos, stopped)
  } finally {
    await session.query("COMMIT")
    session.release()
  }
  await made
  incident.until = Date.now()
  await expect.poll(() => unanswered(chaos, chaos.issuers, incident.until), polling).toEqual([])
  const { answered, failed } = attemptsWithin(chaos, held)
  const isStopped = ({ issuer }: Attempt) => stopped.includes(issuer)
  expect(answered.filter(isStopped), what).toEqual([])
  expect(
    failed.filter((one) => !isStopped(one) || one.failure !== "StoreUnavailable"),
    what,
  ).toEqual([])
}

it("moving shards loses, doubles and misplaces no row, and delays no call of other shards", async () => {
  const { cluster, chaos } = await openCluster()
  const [to] = cluster.workers as [ClusterNode]
  const homes = await cluster.homes(chaos.issuers)
  const inUse = new Set(homes.values())
  const elsewhere = (await cluster.shards("charges")).filter(({ group, id }) => group !== to.group && inUse.has(id))
  const [first, second, third] = elsewhere
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("expected three shards on other nodes")
  const isolated = chaos.issuers.find((company) => homes.get(company) !== third.id) as string
  const moving = "SELECT shardid::text AS id FROM get_rebalance_progress() WHERE progress = 1"
  const hold = (what: string, id: string | undefined, make: () => Promise<void>) =>
    holdUp(cluster, chaos, what, { make, stops: async () => [id] })
  await hold("move", first.id, () => cluster.move(first, to, "force_logical"))
  await hold("blocking move", second.id, () => cluster.move(second, to, "block_writes"))
  await holdUp(cluster, chaos, "rebalance", {
    make: () => cluster.rebalance(),
    stops: async () => (await cluster.pool.query<{ id: string }>(moving)).rows.map(({ id }) => id),
  })
  await hold("split", third.id, () => cluster.split(third, to))
  await hold("isolation", homes.get(isolated), () => cluster.isolate(isolated))
  expect(judge(await chaos.finish())).toEqual([])
})

import { randomUUID } from "node:crypto"
import { embeddedPostgres, installedPostgres, type PostgresPrograms } from "../../../world/index.ts"
import { describe, expect, it } from "vitest"
import { describeAnswers } from "../load/describeAnswers.ts"
import { World } from "../load/World.ts"
import { administer } from "../servers/administer.ts"
import { Cluster } from "../servers/Cluster.ts"
import { SwitchedProxy } from "../servers/SwitchedProxy.ts"
import { closeAfterEach, keep } from "./opened.ts"

const folder = `${import.meta.dirname}/..`

/** Primaries that are killed one after the other. */
const kills = Number(process.env["KILLS"] ?? 2)
const salesAtOnce = 12
/** Calls that are answered before something is killed, and after. */
const callsBetween = 150
/**
 * How many attempts of a call may fail that are begun once the new primary takes connections and every way leads there: one may join
 * calls that were sent before, over a connection that has died.
 */
const mostFailures = 1
/** Calls that fail before another server is the primary. */
const callsThatFail = 20

const tell = (what: string): boolean => process.stdout.write(`${what}\n`)

// A version that is not installed is listed too, and fails the run.
const [installed = { version: "15", bin: "/usr/lib/postgresql/15/bin" }] = installedPostgres()
const versions = [
  { name: "the embedded Postgres", programs: embeddedPostgres() },
  { name: "Debian's package", programs: installed },
]

closeAfterEach()

/** Proxies between a primary and its standby. */
const ways: Array<SwitchedProxy> = []

/** A call of `issue` beside those of the load. */
const aRequest = () => ["12345678000195", { id: randomUUID(), amountCents: 1_990 }] as const

const open = async (programs: PostgresPrograms, way?: (port: number) => Promise<number>) => {
  const cluster = keep(await Cluster.start(programs, way), (one) => one.remove())
  const proxy = keep(await SwitchedProxy.start(cluster.primary.port), (one) => one.close())
  const world = keep(await World.open(), (one) => one.close())
  return { cluster, proxy, world }
}

/** Two hosts behind the proxy. */
const startHosts = async (world: World, proxy: SwitchedProxy): Promise<void> => {
  await world.register(await world.addHost("host 1", folder, proxy.port))
  await world.addHost("host 2", folder, proxy.port)
}

/** Between these moments of the steady clock every way led to a primary that takes connections. */
interface Served {
  readonly from: number
  readonly until: number
}

/** Every call is answered, and nearly every attempt that is begun after a failover succeeds. */
const expectService = ({ ledger }: World, served: ReadonlyArray<Served>): void => {
  expect(ledger.answered.length).toBe(ledger.begun)
  for (const { from, until } of served) {
    const failed = ledger.answered.map(
      ({ failures }) => failures.filter((begun) => begun >= from && begun <= until).length,
    )
    expect(Math.max(...failed)).toBeLessThanOrEqual(mostFailures)
  }
}

const bursts = 5

/** Calls that are made at once share statements, which are sent by their names. */
const expectSharedStatements = async ({ hosts, ledger }: World, { sent }: SwitchedProxy): Promise<void> => {
  const before = { ...sent }
  const sales = ledger.sales.slice(0, 200)
  for (let burst = 1; burst <= bursts; burst++) {
    await Promise.all(sales.map(({ issuer, id }) => hosts[0]?.call("find", issuer, id)))
  }
  const statements = sent.statements - before.statements
  const texts = sent.texts - before.texts
  tell(`${bursts * sales.length} charges were found by ${statements} statements, ${texts} of them sent as a text`)
  expect(statements).toBeLessThan((bursts * sales.length) / 2)
  expect(texts).toBeLessThanOrEqual(statements / 2)
}

describe.each(versions)("$name $programs.version", { tags: ["long"] }, ({ programs }) => {
  describe("a primary with a synchronous standby", () => {
    it(`is killed ${kills} times under load, and nothing is lost or doubled`, { timeout: 900_000 }, async () => {
      const { cluster, proxy, world } = await open(programs)
      await startHosts(world, proxy)
      // This one's pool is pointed to another server.
      const pointed = await world.addHost("host 3", folder, cluster.primary.port)
      await cluster.waitForStandby()
      const pids = world.hosts.map(({ pid }) => pid)
      const served: Array<Served> = []
      world.load.start(salesAtOnce)
      for (let kill = 1; kill <= kills; kill++) {
        await world.load.answered(callsBetween)
        await cluster.primary.kill()
        await world.load.failed(callsThatFail)
        await cluster.promote()
        const connectableAt = performance.now()
        proxy.pointTo(cluster.primary.port)
        await pointed.pointTo(cluster.primary.port)
        const from = performance.now()
        await world.load.answered(callsBetween)
        served.push({ from, until: performance.now() })
        tell(`Postgres ${programs.version}, kill ${kill}: ${describeAnswers(world.ledger, connectableAt)}`)
        await cluster.renewStandby()
      }
      expect(await world.findFlaws(1 + kills)).toEqual([])
      expectService(world, served)
      await expectSharedStatements(world, proxy)
      expect(world.hosts.map(({ pid, isAlive }) => isAlive && pid)).toEqual(pids)
      const told = [...world.receiver.told.values()]
      tell(
        `Postgres ${programs.version}: ${world.ledger.sales.length} sales, ${told.length} events, ` +
          `${told.filter(({ times }) => times > 1).length} of them told more than once`,
      )
    })
  })

  it("takes back leases at most: an event is told twice, and arrives", { timeout: 600_000 }, async () => {
    const { cluster, proxy, world } = await open(programs)
    await startHosts(world, proxy)
    await cluster.waitForStandby()
    // What doesn't wait for the disk is sent to the standby that much later.
    await administer(cluster.primary, "ALTER SYSTEM SET wal_writer_delay = '10s'")
    await administer(cluster.primary, "SELECT pg_reload_conf()")
    const release = world.receiver.hold()
    world.load.start(1)
    await expect.poll(() => world.receiver.told.size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    await cluster.primary.kill()
    const stopped = world.load.stop()
    await cluster.promote()
    proxy.pointTo(cluster.primary.port)
    const mostTold = () => Math.max(...[...world.receiver.told.values()].map(({ times }) => times))
    await expect.poll(mostTold, { timeout: 60_000 }).toBe(2)
    release()
    await stopped
    expect(await world.findFlaws(2)).toEqual([])
  })

  it.each([
    ["that was killed and comes back alone", true],
    ["that was cut off from its standby", false],
  ])("a primary %s acknowledges nothing", { timeout: 600_000 }, async (_, isKilled) => {
    const { cluster, proxy, world } = await open(programs)
    await startHosts(world, proxy)
    const stray = keep(await world.startStray(folder, cluster.primary.port), (one) => one.kill())
    await cluster.waitForStandby()
    world.load.start(salesAtOnce)
    await world.load.answered(callsBetween)
    if (isKilled) await cluster.primary.kill()
    const former = await cluster.promote()
    proxy.pointTo(cluster.primary.port)
    // Whoever decides on a failover ends the ways to the former primary; this host was forgotten.
    proxy.cut()
    if (isKilled) await former.start()
    const request = aRequest()
    await expect(stray.call("issue", ...request)).rejects.toMatchObject({ tag: "StoreUnavailable" })
    await former.kill()
    await stray.pointTo(cluster.primary.port)
    await stray.call("issue", ...request)
    await world.load.answered(callsBetween)
    expect(await world.findFlaws(2)).toEqual([])
  })

  it("connections to a standby leave the pool, and its promotion needs no restart", { timeout: 600_000 }, async () => {
    const { cluster, proxy, world } = await open(programs)
    const host = await world.addHost("host", folder, proxy.port)
    await world.register(host)
    proxy.pointTo(cluster.standby.port)
    proxy.cut()
    await expect(host.call("issue", ...aRequest())).rejects.toMatchObject({ tag: "StoreUnavailable" })
    // Connections that were made to the standby stay open.
    proxy.pointTo(cluster.primary.port)
    await world.load.repeat("issue", ...aRequest())
    expect(await world.findFlaws(1)).toEqual([])
  })

  describe("a standby that the primary doesn't wait for", () => {
    it("loses what was acknowledged, and the ledger sees it", { timeout: 600_000 }, async () => {
      const { cluster, proxy, world } = await open(programs, async (port) => {
        const way = keep(await SwitchedProxy.start(port), (one) => one.close())
        ways.push(way)
        return way.port
      })
      await startHosts(world, proxy)
      world.load.start(salesAtOnce)
      await world.load.answered(callsBetween)
      ways.pop()?.silence()
      await world.load.answered(callsBetween)
      await cluster.primary.kill()
      await cluster.promote()
      proxy.pointTo(cluster.primary.port)
      const flaws = await world.findFlaws(2)
      expect(flaws.filter((flaw) => flaw.endsWith("was issued, and is lost")).length).toBeGreaterThan(0)
      expect(flaws.filter((flaw) => flaw.endsWith("is in the books 0 times")).length).toBeGreaterThan(0)
    })
  })
})

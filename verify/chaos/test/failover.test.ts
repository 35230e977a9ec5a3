import { chargeTxid } from "@pixcharge/core/plain"
import { randomUUID } from "node:crypto"
import type { Receipt } from "../../simulate/judge/index.ts"
import { describe, expect, it } from "vitest"
import { embeddedPostgres, installedPostgres, type PostgresPrograms } from "../../world/index.ts"
import type { Chaos } from "../Chaos.ts"
import { administer, StandbyPair } from "../database/StandbyPair.ts"
import type { Span } from "../judge/Evidence.ts"
import { groupBy } from "../judge/groupBy.ts"
import { judge } from "../judge/judge.ts"
import { closeAfterEach, closeLater, openChaos } from "./opened.ts"

const concurrentSales = 8
const callsBetween = 150

// Without an installed Postgres this version's run fails.
const [installed = { version: "15", bin: "/usr/lib/postgresql/15/bin" }] = installedPostgres()
const versions = [
  { name: "the embedded Postgres", programs: embeddedPostgres() },
  { name: "Debian's package", programs: installed },
]

closeAfterEach()

const open = async (programs: PostgresPrograms, isSynchronous: boolean, take?: () => Promise<unknown>) => {
  const database = await StandbyPair.open(programs, isSynchronous)
  return { database, chaos: await openChaos(database, { ...(take && { take }) }) }
}

const aRequest = ({ issuers, callers: { calls } }: Chaos) => {
  const [issuer = ""] = issuers
  const sale = { issuer, id: randomUUID(), amountCents: 1_990, parts: new Map(), answers: [] }
  calls.sales.push(sale)
  return [issuer, { id: sale.id, amountCents: sale.amountCents }] as const
}

const failuresWithin = ({ callers }: Chaos, { from, until }: Span): number => {
  const failed = callers.calls.attempts.filter(({ failure }) => failure?.endsWith("Unavailable"))
  const within = failed.filter(({ beganAt }) => beganAt >= from && beganAt <= until)
  return Math.max(0, ...[...groupBy(within, ({ call }) => String(call)).values()].map(({ length }) => length))
}

describe.each(versions)("$name $programs.version", { tags: ["long"] }, ({ programs }) => {
  it("two failovers lose no data, and calls continue promptly", { timeout: 600_000 }, async () => {
    const { chaos } = await open(programs, true)
    const pids = chaos.hosts.serving.map(({ name }) => name)
    chaos.callers.start(concurrentSales)
    for (let kill = 1; kill <= 2; kill++) {
      await chaos.callers.waitForMore("ended", callsBetween)
      await chaos.strike("failover")
      const from = Date.now()
      await chaos.callers.waitForMore("ended", callsBetween)
      // One failure is allowed: a call can share a statement that was sent over a dead connection.
      expect(failuresWithin(chaos, { from, until: Date.now() })).toBeLessThanOrEqual(1)
    }
    expect(judge(await chaos.finish())).toEqual([])
    expect(chaos.hosts.serving.map(({ name }) => name)).toEqual(pids)
  })

  it("a failover loses at most leases, so an event arrives twice", { timeout: 600_000 }, async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { database, chaos } = await open(programs, true, () => held)
    // Asynchronous commits reach the standby only after this delay.
    await administer(database.primary, "ALTER SYSTEM SET wal_writer_delay = '10s'")
    await administer(database.primary, "SELECT pg_reload_conf()")
    const [issuer, request] = aRequest(chaos)
    const call = (path: string, ...args: ReadonlyArray<unknown>) => chaos.hosts.serving[0]?.call(path, ...args)
    await call("issue", issuer, request)
    const { txid, endToEndId, amountCents, paidAt } = chaos.bank.pay(issuer, chargeTxid(issuer, request.id))
    await call("confirmPayment", { issuer, txid, endToEndId, amountCents, paidAt })
    await expect.poll(() => chaos.receipts.length, { interval: 5 }).toBe(1)
    chaos.incidents.push({ fault: "failover", from: Date.now(), until: Infinity })
    await database.primary.kill()
    await database.promote()
    chaos.hosts.pointTo(database.primary.port)
    await expect.poll(() => chaos.receipts.length).toBe(2)
    const [first, second] = chaos.receipts as [Receipt, Receipt]
    // The attempt ends after 15 s, the next follows at least 4 s later, and a lease ends after 30 s.
    expect(second.at - first.at).toBeLessThan(19_000)
    release()
    expect(judge(await chaos.finish())).toEqual([])
  })

  it.each([
    ["that was killed and restarts without a standby", true],
    ["that was cut off from its standby", false],
  ])("a primary %s acknowledges nothing", { timeout: 600_000 }, async (_, isKilled) => {
    const { database, chaos } = await open(programs, true)
    const stray = await chaos.hosts.startStray(database.primary.port)
    closeLater(() => stray.kill())
    chaos.callers.start(concurrentSales)
    await chaos.callers.waitForMore("ended", callsBetween)
    if (isKilled) await database.primary.kill()
    const incident = { fault: "failover", from: Date.now(), until: Infinity }
    chaos.incidents.push(incident)
    const former = await database.promote()
    // A failover cuts the connections to the former primary. This host must keep them.
    chaos.hosts.pointTo(database.primary.port)
    if (isKilled) await former.start()
    const request = aRequest(chaos)
    await expect(stray.call("issue", ...request)).rejects.toMatchObject({ tag: "StoreUnavailable" })
    await former.kill()
    await stray.pointTo(database.primary.port)
    await stray.call("issue", ...request)
    await chaos.callers.waitForMore("ended", callsBetween)
    expect(judge(await chaos.finish())).toEqual([])
  })

  it("an asynchronous standby loses acknowledged writes, and the judge notices", { timeout: 600_000 }, async () => {
    const { chaos } = await open(programs, false)
    chaos.callers.start(concurrentSales)
    await chaos.callers.waitForMore("ended", callsBetween)
    await chaos.strike("laggingFailover")
    const evidence = await chaos.finish()
    // The comparison with the bank restores all payments and returns, but not the other answers that callers got.
    expect(judge(evidence)).toEqual([])
    const flaws = judge({ ...evidence, isSetBack: false })
    expect(flaws.filter((flaw) => flaw.endsWith("was issued, but is lost"))).not.toEqual([])
  })
})

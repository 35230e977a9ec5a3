import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { drawPaidAfterMs, live, openSandbox, type World, withWorld } from "@pixcharge/verify/bench"
import { startPostgres } from "@pixcharge/verify/world"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { openDatabase } from "../../costs/openDatabase.ts"

const living = { chargesADay: 24_000, paidAfterMs: drawPaidAfterMs, processes: 1 }

/** The cost of a charge in the next twelve minutes. */
const costOfCharge = async (world: World) => {
  const before = world.issued
  let [statements, calls] = [0, 0]
  const count = async (step: string, times: number, run: () => Promise<unknown>) => {
    if (times === 0) return
    world.bank.forgetExchanges()
    const at = await world.host.ask("statements")
    await run()
    // The bench adds these looks to measure them.
    if (step === "idle") return
    statements += (await world.host.ask("statements")) - at
    calls += world.bank.exchanges.filter(({ path, status }) => path !== "/oauth/token" && status !== 401).length
  }
  await live(world, { ...living, stepMs: 5_000, hours: 0.2, count })
  const charges = world.issued - before
  expect(charges).toBe(200)
  return { statements: statements / charges, calls: calls / charges }
}

it("a charge's day, with its looks for due work, takes at most 10 statements and 3.4 calls of the bank", async () => {
  const server = await startPostgres(["-c", "fsync=off"])
  try {
    await withWorld(`${server.url}/postgres`, 1, async (world) => {
      // The first charges have their last look-up after eleven minutes.
      await live(world, { ...living, stepMs: 20_000, hours: 0.25 })
      let cost = await costOfCharge(world)
      // The machine decides which calls share a statement, by 2 %: the least of three runs counts.
      for (let run = 2; run <= 3 && cost.statements > 10; run++) cost = await costOfCharge(world)
      expect(cost.statements).toBeLessThanOrEqual(10)
      expect(cost.calls).toBeLessThanOrEqual(3.4)
    })
  } finally {
    await server.remove()
  }
})

it("ten idle hosts take at most two statements a second", async () => {
  const database = await openDatabase()
  await migrate(database.pool)
  const hosts = Array.from({ length: 10 }, () =>
    openSandbox(postgresStore({ db: database.pool }), { recurrences: true }),
  )
  try {
    await Promise.all(hosts.map((pix) => pix.ready()))
    // A process looks for companies to reconcile for the first time after ten seconds.
    await sleep(12_000)
    database.takeStatements()
    const began = performance.now()
    // A host that looks every five seconds looks at most twice.
    await sleep(9_900)
    const looks = Math.floor((performance.now() - began) / 5_000) + 1
    const statements = database.takeStatements()
    expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(hosts.length * looks)
    expect(statements.length).toBeGreaterThan(8)
  } finally {
    await Promise.all(hosts.map((pix) => pix.dispose()))
    await database.close()
  }
})

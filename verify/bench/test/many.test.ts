import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { root, startPostgres, Worker } from "../../world/index.ts"
import { makeCertificates } from "../../world/makeCertificates.ts"
import type { HostOrders } from "../many/host.ts"
import { openBank } from "../many/openBank.ts"

const charges = 400

it("issueMany on Postgres issues each charge once, although its process is killed and the run repeated", async () => {
  const [certificates, server] = await Promise.all([makeCertificates(), startPostgres()])
  onTestFinished(server.remove)
  const bank = await openBank(certificates)
  onTestFinished(bank.close)
  const databaseUrl = `${server.url}/postgres`
  const pool = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  const countStored = async (): Promise<number> =>
    (await pool.query("SELECT count(*)::int AS count FROM pixcharge.charges")).rows[0].count
  const startHost = async (): Promise<Worker<HostOrders>> => {
    const host: Worker<HostOrders> = new Worker(join(root, "verify/dist/bench/many/host.js"))
    await host.ask("start", { databaseUrl, bankUrl: bank.baseUrl, certificates })
    return host
  }

  const killed = await startHost()
  const run = killed.ask("issueMany", 0, charges, []).catch(() => undefined)
  while ((await countStored()) < charges / 4) await sleep(20)
  await killed.kill()
  await run
  const stored = await countStored()
  expect(stored).toBeLessThan(charges)
  // What the bank issued and the killed host didn't store: at most the calls that were under way.
  expect(bank.ledger.charges.size - stored).toBeLessThanOrEqual(24)

  const host = await startHost()
  onTestFinished(() => host.end())
  await host.ask("issueMany", 0, charges, [])
  expect([await countStored(), bank.ledger.charges.size]).toEqual([charges, charges])
}, 120_000)

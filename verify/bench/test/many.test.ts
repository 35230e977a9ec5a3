import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { root, startPostgres, Worker } from "../../world/index.ts"
import { makeCertificates } from "../../world/makeCertificates.ts"
import type { BankOrders } from "../many/bank.ts"
import type { HostOrders } from "../many/host.ts"

const built = (name: string): string => join(root, "verify/dist/bench/many", name)
const charges = 400

const openHost = (): Worker<HostOrders> => new Worker(built("host.js"))

it("issueMany on Postgres issues each charge once, although its process is killed and the run repeated", async () => {
  const [certificates, server] = await Promise.all([makeCertificates(), startPostgres()])
  onTestFinished(server.remove)
  const bank = new Worker<BankOrders>(built("bank.js"))
  onTestFinished(() => bank.end())
  const bankUrl = await bank.ask("start", certificates, 20, 8)
  const databaseUrl = `${server.url}/postgres`
  const pool = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  const countStored = async (): Promise<number> =>
    (await pool.query("SELECT count(*)::int AS count FROM pixcharge.charges")).rows[0].count
  const setting = { databaseUrl, bankUrl, certificates }

  const killed = openHost()
  await killed.ask("start", setting)
  const run = killed.ask("issueMany", 0, charges, []).catch(() => undefined)
  while ((await countStored()) < charges / 4) await sleep(20)
  await killed.kill()
  await run
  const stored = await countStored()
  expect(stored).toBeLessThan(charges)
  // What the bank issued and the killed host didn't store: at most the calls that were under way.
  expect((await bank.ask("charges")) - stored).toBeLessThanOrEqual(24)

  const host = openHost()
  onTestFinished(() => host.end())
  await host.ask("start", setting)
  await host.ask("issueMany", 0, charges, [])
  expect([await countStored(), await bank.ask("charges")]).toEqual([charges, charges])
}, 120_000)

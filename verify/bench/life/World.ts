import { startSimulatedBank, type SimulatedBank } from "@pixcharge/simulated-bank"
import { companies } from "../../world/companies.ts"
import { EventReceiver } from "../../world/EventReceiver.ts"
import { makeCertificates } from "../../world/makeCertificates.ts"
import { root } from "../../world/root.ts"
import { Worker } from "../../world/Worker.ts"
import pg from "pg"
import type { HostOrders } from "./host.ts"
import { type Integrator, makeIntegrator } from "./Integrator.ts"

interface Awaited {
  readonly txid: string
  readonly paidAt: number
  readonly isNoticed: boolean
}

export interface World {
  readonly databaseUrl: string
  readonly host: Worker<HostOrders>
  readonly bank: SimulatedBank
  readonly pool: pg.Pool
  /** Makes new integrators for each process, because a token doesn't last as long as a run. */
  readonly integrators: () => ReadonlyArray<Integrator>
  readonly webhooks: ReadonlyArray<string>
  /** Epoch milliseconds. */
  now: number
  issued: number
  awaited: ReadonlyArray<Awaited>
  readonly paid: Set<string>
}

/**
 * How far the world's time is ahead of the real time. The bank dates its answers by the real time, which must
 * differ clearly from the hosts' clock.
 */
const aheadMs = 2 * 86_400_000

export const company = companies[0] as (typeof companies)[number]

/** Starts hosts on a database, their bank over TLS, and a receiver of events over TLS. Ends them after `use`. */
export const withWorld = async <A>(
  databaseUrl: string,
  processes: number,
  use: (world: World) => Promise<A>,
): Promise<A> => {
  const startsAt = Date.now() + aheadMs
  const certificates = await makeCertificates()
  const { server: tls, ca } = certificates
  const bank = await startSimulatedBank({
    accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
    tls: { ...tls, ca },
    // The bank sends no notices by itself: `live` sends each notice and waits for the answer.
    ways: { noticeCopies: 0 },
    now: () => world.now,
  })
  // The receiver doesn't verify the events, because they are signed with the time of a different clock.
  const receiver = await EventReceiver.start(() => 200, tls)
  const host = new Worker<HostOrders>(`${root}/verify/dist/bench/life/host.js`)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // Some connections are still closing when the server stops.
  pool.on("error", () => undefined)
  const [baseUrls, webhooks]: [Array<string>, Array<string>] = [[], []]
  const world: World = {
    databaseUrl,
    host,
    bank,
    webhooks,
    pool,
    integrators: () => baseUrls.map((baseUrl) => makeIntegrator(baseUrl, company)),
    now: startsAt,
    issued: 0,
    awaited: [],
    paid: new Set(),
  }
  try {
    const setting = { databaseUrl, bankUrl: bank.baseUrl, receiverUrl: receiver.origin, certificates }
    for (let index = 0; index < processes; index++) {
      baseUrls.push(await host.ask("start", setting, startsAt))
      webhooks.push(bank.ledger.webhooks.get(company.pixKey)?.url ?? "")
    }
    return await use(world)
  } finally {
    await host.end()
    await pool.end()
    receiver.close()
    await bank.close()
  }
}

import { startSimulatedBank, type SimulatedBank } from "@pixcharge/simulated-bank"
import { companies } from "../../world/companies.ts"
import { EventReceiver } from "../../world/EventReceiver.ts"
import { Integrator } from "../../world/Integrator.ts"
import { makeCertificates } from "../../world/makeCertificates.ts"
import { Worker } from "../../world/Worker.ts"
import { openStore, type OpenStore } from "../openStore.ts"
import type { HostOrders } from "./host.ts"

interface Awaited {
  readonly txid: string
  readonly paidAt: number
  readonly isNoticed: boolean
}

export interface World {
  readonly databaseUrl: string
  readonly host: Worker<HostOrders>
  readonly bank: SimulatedBank
  readonly opened: OpenStore
  /** New integrators for each process, because a token doesn't last a day. */
  readonly integrators: () => ReadonlyArray<Integrator>
  readonly webhooks: ReadonlyArray<string>
  /** Epoch milliseconds. */
  now: number
  issued: number
  awaited: ReadonlyArray<Awaited>
  readonly paid: Set<string>
}

/** Far from the real time by which the bank dates its answers, so no answer seems to show the hosts' clock. */
const aheadMs = 2 * 86_400_000

export const company = companies[0] as (typeof companies)[number]

/** Starts hosts on a database, their bank, and a receiver of events, each over TLS. Ends them after `use`. */
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
    // The payer sends the notice and waits for the answer.
    ways: { noticeCopies: 0 },
    now: () => world.now,
  })
  // The events were signed by another clock than the receiver's.
  const receiver = await EventReceiver.start(() => 200, tls)
  const host = new Worker<HostOrders>(`${import.meta.dirname}/host.js`)
  const [baseUrls, webhooks]: [Array<string>, Array<string>] = [[], []]
  const world: World = {
    databaseUrl,
    host,
    bank,
    webhooks,
    opened: await openStore(databaseUrl),
    integrators: () => baseUrls.map((baseUrl) => new Integrator(baseUrl, company)),
    now: startsAt,
    issued: 0,
    awaited: [],
    paid: new Set(),
  }
  try {
    const setting = { databaseUrl, bankUrl: bank.baseUrl, receiverUrl: receiver.origin, certificates }
    for (let at = 0; at < processes; at++) {
      baseUrls.push(await host.ask("start", setting, startsAt))
      webhooks.push(bank.ledger.webhooks.get(company.pixKey)?.url ?? "")
    }
    return await use(world)
  } finally {
    await host.end()
    await world.opened.close()
    receiver.close()
    await bank.close()
  }
}

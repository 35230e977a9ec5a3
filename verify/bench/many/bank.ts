// The bank in its own process: it answers in 20 ms and works on a few calls at a time.
import { type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { companies } from "../../world/companies.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { putOnExisting } from "./putOnExisting.ts"

let bank: SimulatedBank | undefined

const orders = {
  start: async ({ server, ca }: Certificates, ms: number, atOnce: number): Promise<string> => {
    const opened = await startSimulatedBank({
      accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
      tls: { ...server, ca },
      ways: { noticeCopies: 0, putOnExisting },
    })
    opened.faults.add({ _tag: "Slow", ms, atOnce })
    setInterval(opened.forgetExchanges, 1_000)
    bank = opened
    return opened.baseUrl
  },
  charges: (): number => bank?.ledger.charges.size ?? 0,
}

export type BankOrders = typeof orders

serveOrders(orders)

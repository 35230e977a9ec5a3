// The bank in its own process: it answers in 20 ms and works on a few calls at a time.
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { companies } from "../../world/companies.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { putOnExisting } from "./putOnExisting.ts"

const orders = {
  start: async ({ server, ca }: Certificates, ms: number, atOnce: number): Promise<string> => {
    const bank = await startSimulatedBank({
      accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
      tls: { ...server, ca },
      ways: { noticeCopies: 0, putOnExisting },
    })
    bank.faults.add({ _tag: "Slow", ms, atOnce })
    setInterval(bank.forgetExchanges, 1_000)
    return bank.baseUrl
  },
}

export type BankOrders = typeof orders

serveOrders(orders)

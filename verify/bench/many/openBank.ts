import { type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { companies } from "../../world/companies.ts"
import type { Certificates } from "../../world/makeCertificates.ts"

/** The bank's way with a second `PUT`: then no look-up precedes the first, and a charge takes one call. */
export const putOnExisting = "refuses"

export const slow = { ms: 20, atOnce: 8 }

/** Opens a bank that answers slowly and works on a few calls at a time. */
export const openBank = async ({ server, ca }: Certificates): Promise<SimulatedBank> => {
  const bank = await startSimulatedBank({
    accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
    tls: { ...server, ca },
    ways: { noticeCopies: 0, putOnExisting },
  })
  bank.faults.add({ _tag: "Slow", ...slow })
  setInterval(bank.forgetExchanges, 1_000).unref()
  return bank
}

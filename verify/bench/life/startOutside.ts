import { type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { trustedCertificate } from "@pixcharge/testkit/fixtures"
import { once } from "node:events"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { client, companies } from "./companies.ts"

const account = { ...client, cnpj: "12345678000195", name: "Loja", pixKeys: companies.map(({ pixKey }) => pixKey) }

/** The bank, over mutual TLS, and the receiver of events, over TLS. */
export interface Outside {
  readonly bank: SimulatedBank
  readonly receiverUrl: string
  /** Ids of the events that the receiver has taken. */
  readonly received: Set<string>
  /** Pays a charge, and sends the notice of it to the host. */
  readonly pay: (txid: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const startOutside = async (): Promise<Outside> => {
  const { cert, key } = trustedCertificate
  const bank = await startSimulatedBank({
    accounts: [account],
    tls: { cert, key, ca: cert },
    // Notices are sent by `pay`, which waits for the answer.
    ways: { noticeCopies: 0 },
  })
  const received = new Set<string>()
  const receiver = createServer({ cert, key }, (request, response) => {
    received.add(String(request.headers["webhook-id"]))
    request.resume()
    request.on("end", () => response.end("ok"))
  })
  receiver.keepAliveTimeout = 60_000
  await once(receiver.listen(0, "127.0.0.1"), "listening")
  return {
    bank,
    receiverUrl: `https://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    received,
    pay: async (txid) => {
      const payment = bank.pay(account.cnpj, txid, { paidAt: Date.now() })
      let notice = await bank.webhooks.send(payment.pixKey, [payment])
      // As a bank does with a notice that was not taken: a process confirms ten a second of a company, after the first hundred.
      while (notice?.status === 503) {
        await pause(1_000)
        notice = await bank.webhooks.send(payment.pixKey, [payment])
      }
      if (notice?.status !== 200) throw new Error(`the host answered a notice with ${notice?.status}`)
    },
    close: async () => {
      receiver.closeAllConnections()
      receiver.close()
      await bank.close()
    },
  }
}

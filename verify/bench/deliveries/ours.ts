import { memoryDirectory } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { openSandbox } from "../../world/sandbox.ts"
import { companyCnpj } from "../companyCnpj.ts"
import { benchSecret, bounds, count, type MakeContender, openCallbacks, openPool } from "./Contender.ts"

/** As many companies as reach the total limit: each endpoint has four concurrent deliveries. */
const issuers = Array.from({ length: bounds.posts / 4 }, (_, index) => companyCnpj(index + 1))

export const ours: MakeContender = async (databaseUrl, receiverUrl) => {
  const db = openPool(databaseUrl)
  const companies = issuers.map((cnpj, index) => ({
    cnpj,
    name: "Loja",
    city: "Recife",
    pixKey: `loja-${index}@example.com`,
    integratorKey: "the key of the bench",
    graceDays: 1,
    callback: { url: `${receiverUrl}/${index}`, secrets: [benchSecret], kinds: ["paid"] as const },
  }))
  const open = (options: { readonly background?: false } = {}) =>
    openSandbox(postgresStore({ db }), {
      directory: memoryDirectory({ companies }),
      callbacks: openCallbacks(),
      ...options,
    })
  const seller = open({ background: false })
  const sell = async (index: number): Promise<void> => {
    const issuer = issuers[index % issuers.length] ?? ""
    const id = randomUUID()
    await seller.issue(issuer, { id, amountCents: 1990 })
    await seller.simulatePayment(issuer, id)
  }
  return {
    fill: (charges) =>
      Effect.runPromise(
        Effect.forEach(Array(charges).keys(), (index) => Effect.promise(() => sell(index)), {
          concurrency: 256,
          discard: true,
        }),
      ),
    // It delivers until the process ends.
    start: () => open().ready(),
    countDelivered: () => count(db, "pixcharge.settled_deliveries"),
  }
}

import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { compareRounds, type Ratio } from "./compareRounds.ts"

const company = {
  cnpj: "12345678000195",
  name: "Livraria Sol",
  city: "SAO PAULO",
  pixKey: "12345678000195",
  walletActive: true,
}

const charges = 200
const idleMs = 20_000

const countStatements = async (connectionString: string, recurrences: boolean) => {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // Some connections are still closing when the server stops.
  pool.on("error", () => undefined)
  let count = 0
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: ReadonlyArray<unknown>) => unknown
    client.query = ((...given: ReadonlyArray<unknown>) => {
      count++
      return query(...given)
    }) as typeof client.query
  })
  const store = postgresStore({ db: pool })
  await using pix = createPix({
    environment: "sandbox",
    store,
    companies: [company],
    processor: sandboxProcessor(),
    recurrences,
  })
  await pix.ready()
  const begun = count
  for (let index = 0; index < charges; index++) {
    const { id } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })
    await pix.simulatePayment(company.cnpj, id)
  }
  const perCharge = (count - begun) / charges
  const before = count
  await pause(idleMs)
  return { perCharge, idle: count - before }
}

/**
 * Counts how many statements a host makes that has recurrences turned off, and a host that has them turned on but doesn't
 * use them.
 */
export const recurrencesBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const without = await countStatements(await databases("without_recurrences"), false)
  const turnedOn = await countStatements(await databases("with_recurrences"), true)
  const row = { peer: "the same host with recurrences", goal: 1 }
  return [
    {
      what: `statements of ${charges} charges, issued and paid`,
      ...row,
      ...compareRounds([without.perCharge], turnedOn.perCharge),
    },
    {
      what: `statements of an idle host in ${idleMs / 1000} s`,
      ...row,
      ...compareRounds([without.idle], turnedOn.idle),
    },
  ]
}

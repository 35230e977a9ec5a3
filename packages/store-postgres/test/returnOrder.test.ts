import { aPaidCharge, aPayment, aPendingCharge, aReturn, cents } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

// Without an index to read, rows come in the order of their insertion.
const pool = await realPostgres({ options: "-c enable_indexscan=off -c enable_bitmapscan=off" })

it("returns with the same time are read in the order of their ids, with any plan", async () => {
  const { store } = await openStore({ db: pool })
  const charge = aPendingCharge()
  await run(store.insert(charge))
  const payment = aPayment(charge)
  const { issuer, id } = charge
  const change = { issuer, id, expectedVersion: charge.version, payments: [payment], deliveries: [] }
  await run(store.commit({ ...change, next: aPaidCharge(charge, payment), returns: [] }))
  const returns = ["D1", "D2", "D3"].map((returnId) => aReturn(payment, { id: returnId, amountCents: cents(1) }))
  for (const row of returns.toReversed()) await run(store.commit({ ...change, returns: [row] }))
  expect(await run(store.find(issuer, id))).toMatchObject({ returns })
})

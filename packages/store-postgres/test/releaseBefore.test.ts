import type { PendingCharge } from "@pixcharge/core/charges"
import { migrate, postgresStore, printMigrations } from "@pixcharge/store-postgres"
import { aCnpj, aPendingCharge, cpf, fixtureNow } from "@pixcharge/testkit/fixtures"
import { chargeListsSuite, chargeStoreSuite, dueChecksSuite, payerDataSuite } from "@pixcharge/testkit/suites"
import { expect, it } from "vitest"
import { openStore, run } from "./openStore.ts"
import { realPostgres } from "./realPostgres.ts"
import { textsOutOfRows, writeAsBefore } from "./releaseBefore.ts"
import { storeHooks } from "./storeHooks.ts"

const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
const pool = await realPostgres()
await migrate(pool)
await writeAsBefore(pool, "pixcharge")

it("the suites below meet charges whose texts are in their rows", async () => {
  const { store } = await openStore({ db: pool })
  await run(store.insert(aPendingCharge()))
  const { rows } = await pool.query(`
    SELECT (SELECT count(*) FROM pixcharge.charges WHERE br_code IS NOT NULL)::int AS rows,
      (SELECT count(*) FROM pixcharge.archived_texts)::int AS texts`)
  expect(rows).toEqual([{ rows: 1, texts: 0 }])
})

it("what the release before has written, or moved, is found, searched, exported and erased after the migration", async () => {
  const schema = "older"
  const script = printMigrations({ schema })
  await pool.query(`${script.slice(0, script.indexOf("-- 14: "))}COMMIT`)
  const [moved, written] = [0, 1].map((at) => aPendingCharge({ payer, createdAt: fixtureNow + at })) as [
    PendingCharge,
    PendingCharge,
  ]
  for (const charge of [moved, written]) {
    await pool.query(textsOutOfRows(schema))
    await pool.query(
      `INSERT INTO ${schema}.charges (
        issuer, id, transaction_id, amount_cents, payer_name, payer_tax_id, br_code, created_at, payable_until, watch_until,
        state, version, updated_at
      ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', 1, $8)`,
      [
        charge.issuer,
        charge.id,
        charge.transactionId,
        charge.amountCents,
        payer.name,
        payer.taxId,
        charge.brCode,
        ...[charge.createdAt, charge.payableUntil, charge.watchUntil].map((at) => new Date(at)),
      ],
    )
  }
  const { store, lists, payers } = await openStore({ db: pool, schema })
  for (const charge of [moved, written]) expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
  for (const text of ["ana s", payer.taxId]) {
    const search = { from: 0, until: fixtureNow * 2, text }
    expect((await run(lists.charges(aCnpj, search, { limit: 10 }))).items).toEqual([written, moved])
  }
  expect(await run(payers.export(aCnpj, payer.taxId))).toEqual({ charges: [written, moved] })
  expect(await run(payers.erase(aCnpj, payer.taxId, fixtureNow))).toBe(2)
  expect(await run(payers.export(aCnpj, payer.taxId))).toEqual({ charges: [] })
})

for (const suite of [chargeStoreSuite, chargeListsSuite, dueChecksSuite, payerDataSuite])
  suite("rows of the release before", postgresStore({ db: pool, migrations: "check" }), storeHooks(pool))

import { migrate } from "@pixcharge/store-postgres"
import { aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

it("connections to a read-only server leave the pool, and new connections reach the primary", async () => {
  const admin = await realPostgres()
  await migrate(admin)
  const database = new URL(admin.options.connectionString ?? "").pathname.slice(1)
  await admin.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
  const pool = new pg.Pool({ ...admin.options, max: 2 })
  onTestFinished(() => pool.end())
  const { store } = await openStore({ db: pool, migrations: "check" })
  await expect(run(store.insert(aPendingCharge()))).rejects.toMatchObject({
    _tag: "StoreUnavailable",
    cause: { sqlState: "25006" },
  })
  // These connections stay read-only. Only new connections can write after the change.
  const before = await Promise.all([pool.connect(), pool.connect()])
  for (const client of before) client.release()
  await admin.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
  expect(await run(store.insert(aPendingCharge()))).toEqual({ _tag: "Inserted" })
})

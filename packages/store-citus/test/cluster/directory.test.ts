import { Actor, AuditLog, DirectoryAdmin } from "@pixcharge/core"
import { postgresDirectory } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { adminPool, findWorkers, freshSchema, nodePool } from "./cluster.ts"

const admin = adminPool()
const [worker = { host: "", port: 0 }] = await findWorkers(admin)
const schema = freshSchema(admin, "directory")
await distribute(admin, { schema, shards: 3 })

const cnpj = (digits: string): Cnpj => digits as Cnpj

const nodes = [
  { name: "the coordinator", db: admin, cnpj: cnpj("11222333000181") },
  { name: "a worker", db: nodePool(worker), cnpj: cnpj("12345678000195") },
]

for (const { name, db, cnpj: company } of nodes) {
  it(`a change of the directory over ${name} is recorded once, with its actor`, async () => {
    const directory = postgresDirectory({
      db,
      schema,
      migrations: "check",
      pepper: [{ kid: "1", secret: "p".repeat(32) }],
    })
    const layer = Layer.merge(directory, citusStore({ db, schema }))
    const records = await Effect.runPromise(
      Effect.gen(function* () {
        const changes = yield* DirectoryAdmin
        yield* changes.putCompany({
          cnpj: company,
          name: "Loja",
          city: "Recife",
          pixKey: `${company}@example.com`,
          graceDays: 5,
        })
        yield* changes.rotateKey(company)
        yield* changes.setWallet(company, false)
        yield* changes.revokeKey(company)
        return (yield* (yield* AuditLog).list(company, {}, { limit: 10 })).items
      }).pipe(Effect.provideService(Actor, "ana"), Effect.provide(layer)),
    )
    expect(records.map(({ change }) => change.kind).toReversed()).toEqual([
      "companyRegistered",
      "keySet",
      "walletDeactivated",
      "keyRevoked",
    ])
    expect(new Set(records.map(({ by }) => by))).toEqual(new Set(["ana"]))
  })
}

it("a manual change of the directory is recorded once", async () => {
  const before = await admin.query(`SELECT count(*)::int AS count FROM ${schema}.audit_log`)
  await admin.query(`UPDATE ${schema}.companies SET wallet_active = true WHERE cnpj = '11222333000181'`)
  const after = await admin.query(`SELECT count(*)::int AS count FROM ${schema}.audit_log`)
  expect(after.rows[0].count - before.rows[0].count).toBe(1)
})

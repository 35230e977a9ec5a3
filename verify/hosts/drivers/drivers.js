/**
 * Passes the clients of drivers and ORMs as `db`. With an accepted client a charge is issued and found. A refused
 * client causes an error that names the right value.
 */
import databases from "@databases/pg"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { drizzle } from "drizzle-orm/node-postgres"
import knex from "knex"
import { Kysely, PostgresDialect } from "kysely"
import mysql from "mysql2/promise"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import pg from "pg"
import pgPromise from "pg-promise"
import postgres from "postgres"
import "reflect-metadata"
import { Sequelize } from "sequelize"
import { createPool } from "slonik"
import typeorm from "typeorm"

const url = process.env.DATABASE_URL
const cnpj = "12345678000195"
const companies = [{ cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com" }]

const pool = new pg.Pool({ connectionString: url })
const client = new pg.Client({ connectionString: url })
await client.connect()
const promised = pgPromise()(url)
const sql = postgres(url, { onnotice: () => {} })
const camel = postgres(url, { onnotice: () => {}, transform: postgres.camel })
const sequelize = new Sequelize(url, { logging: false })
const source = await new typeorm.DataSource({ type: "postgres", url, entities: [] }).initialize()
const builder = knex({ client: "pg", connection: url })
const slonik = await createPool(url)
const databasesPool = databases.default({ connectionString: url, bigIntMode: "bigint" })
const mysqlPool = mysql.createPool({ host: "localhost" })
const embedded = await embeddedDatabase("data")
const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })

const accepted = {
  "a pg.Pool": pool,
  "a pg.Client": client,
  "pg-promise's pool": promised.$pool,
  PGlite: embedded.db,
  "postgres.js": { query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values) }) },
}

const orm = /it is an ORM: give a pg\.Pool/
const refused = [
  ["postgres.js itself", sql, /it is postgres\.js: give \{ query/],
  ["pg-promise's db", promised, /it is pg-promise: give its db\.\$pool/],
  ["Slonik", slonik, /it is Slonik: give a pg\.Pool/],
  ["@databases/pg", databasesPool, /it is @databases\/pg: give a pg\.Pool/],
  ["mysql2", mysqlPool, /it is MySQL's: give a pg\.Pool/],
  ["Sequelize", sequelize, orm],
  ["TypeORM's DataSource", source, orm],
  ["Knex", builder, orm],
  ["Kysely", kysely, orm],
  ["Drizzle", drizzle(pool), orm],
]

const createPixOn = (db) =>
  createPix({ environment: "sandbox", store: postgresStore({ db }), processor: sandboxProcessor(), companies })

for (const [name, db] of Object.entries(accepted)) {
  const pix = createPixOn(db)
  const id = randomUUID()
  await pix.issue(cnpj, {
    id,
    amountCents: 1_990,
    dueDate: "2030-01-31",
    payer: { name: "Ana d’Ávila", taxId: "52998224725" },
  })
  assert.equal((await pix.simulatePayment(cnpj, id))._tag, "Paid", name)
  const found = await pix.find(cnpj, id)
  assert.deepEqual([found._tag, found.dueDate, found.payer.name], ["Paid", "2030-01-31", "Ana d’Ávila"], name)
  await pix.dispose()
}
for (const [name, db, sentence] of refused) assert.throws(() => postgresStore({ db }), sentence, name)

const refusedAtStart = [
  [
    { query: async ({ text, values }) => ({ rows: await camel.unsafe(text, values) }) },
    /leaves column names as they are/,
  ],
  [new pg.Client({ connectionString: url }), /await its connect\(\) first/],
]
for (const [db, sentence] of refusedAtStart) {
  const pix = createPixOn(db)
  await assert.rejects(pix.ready(), sentence)
  await pix.dispose()
}

await Promise.all([
  client.end(),
  sql.end(),
  camel.end(),
  sequelize.close(),
  source.destroy(),
  builder.destroy(),
  slonik.end(),
  databasesPool.dispose(),
  mysqlPool.end(),
  embedded.close(),
  promised.$pool.end(),
])
await pool.end()

/** Runs tools that create a shop's tables in pixcharge's database. pixcharge's tables must stay unchanged. */
import { EntitySchema as MikroOrmSchema, MikroORM } from "@mikro-orm/postgresql"
import { migrate } from "@pixcharge/store-postgres"
import knex from "knex"
import { runner } from "node-pg-migrate"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import pg from "pg"
import "reflect-metadata"
import { DataTypes, Sequelize } from "sequelize"
import typeorm from "typeorm"

const url = process.env.DATABASE_URL
const pool = new pg.Pool({ connectionString: url })

/** Reads pixcharge's relations with their columns. A relation that was dropped and created again has a new number. */
const readOurs = async () => {
  const { rows } = await pool.query(
    `SELECT c.oid, c.relname, array_agg(a.attname || ' ' || a.atttypid ORDER BY a.attnum) AS columns
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE c.relnamespace = 'pixcharge'::regnamespace GROUP BY c.oid ORDER BY c.oid`,
  )
  return rows
}

/** Creates the shop's table with the guide's settings. */
const push = async () => {
  const args = ["node_modules/drizzle-kit/bin.cjs", "push", "--force"]
  execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe" })
  const { rows } = await pool.query("SELECT to_regclass('public.orders') AS orders")
  assert.equal(rows[0].orders, "orders")
}

const { DataSource, EntitySchema } = typeorm
const Order = new EntitySchema({
  name: "Order",
  tableName: "orders_of_typeorm",
  columns: { id: { type: "int", primary: true }, product: { type: "text" } },
})
const synchronize = async (options) => {
  const source = await new DataSource({ type: "postgres", url, entities: [Order], ...options }).initialize()
  await source.destroy()
}

const withSequelize = async (work) => {
  const sequelize = new Sequelize(url, { logging: false })
  sequelize.define("order_of_sequelize", { product: DataTypes.TEXT })
  await work(sequelize)
  await sequelize.close()
}

const OrderOfMikroOrm = new MikroOrmSchema({
  name: "OrderOfMikroOrm",
  properties: { id: { type: "number", primary: true } },
})

/** Uses MikroORM with the guide's setting. */
const withMikroOrm = async (work) => {
  const schemaGenerator = { ignoreSchema: ["pixcharge"] }
  const orm = await MikroORM.init({ clientUrl: url, entities: [OrderOfMikroOrm], schemaGenerator })
  await work(orm.schema)
  await orm.close()
}

const writeMigration = (folder, text) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/1_orders.mjs`, text)
}
const up = "export const up = (it) => it"
const down = "export const down = (it) => it"

const withKnex = async (work) => {
  writeMigration(
    "knex",
    `${up}.schema.createTable("orders_of_knex", (table) => table.increments())
${down}.schema.dropTable("orders_of_knex")`,
  )
  const db = knex({ client: "pg", connection: url, migrations: { directory: "knex", loadExtensions: [".mjs"] } })
  await work(db.migrate)
  await db.destroy()
}

const nodePgMigrate = async (direction) => {
  writeMigration(
    "node-pg-migrate",
    `${up}.createTable("orders_of_migrate", { id: "id" })
${down}.dropTable("orders_of_migrate")`,
  )
  const options = { databaseUrl: url, dir: "node-pg-migrate", migrationsTable: "pgmigrations", count: Infinity }
  await runner({ ...options, direction, log: () => {} })
}

const works = {
  "drizzle-kit push": push,
  "drizzle-kit push, a second time": push,
  "TypeORM synchronize": () => synchronize({ synchronize: true }),
  "TypeORM synchronize and dropSchema": () => synchronize({ synchronize: true, dropSchema: true }),
  "Sequelize sync, alter": () => withSequelize((it) => it.sync({ alter: true })),
  "Sequelize sync, force": () => withSequelize((it) => it.sync({ force: true })),
  "Sequelize drop": () => withSequelize((it) => it.drop()),
  "MikroORM update": () => withMikroOrm((it) => it.update()),
  "MikroORM refresh": () => withMikroOrm((it) => it.refresh()),
  "MikroORM drop": () => withMikroOrm((it) => it.drop()),
  "Knex latest": () => withKnex((it) => it.latest()),
  "Knex rollback": () => withKnex((it) => it.rollback(undefined, true)),
  "node-pg-migrate up": () => nodePgMigrate("up"),
  "node-pg-migrate down": () => nodePgMigrate("down"),
}

await migrate(pool)
const before = await readOurs()
for (const [name, work] of Object.entries(works)) {
  await work()
  assert.deepEqual(await readOurs(), before, name)
}
await pool.end()

import { readFileSync } from "node:fs"
import { type Connection, migrate, postgresStore } from "@pixcharge/store-postgres"
import pg from "pg"
import { expect, it } from "vitest"
import { openStore } from "./openStore.ts"

const query = () => Promise.resolve({ rows: [] })
const method = () => undefined
const orm = "it is an ORM: give a pg.Pool, either the ORM's or a separate one"
const wanted = 'postgresStore: the option "db" must be a pg.Pool, or the result of pgliteConnection or neonConnection'

const mistakes: ReadonlyArray<[name: string, db: unknown, hint: string]> = [
  [
    "an address",
    "postgres://127.0.0.1/shop",
    "it is a string: give new pg.Pool({ connectionString }) of the package pg",
  ],
  ["a PGlite", { query, execProtocol: method }, "it is a PGlite: give pgliteConnection(pglite)"],
  ["a class", pg.Pool, "it is a function: give neonConnection(neon), or an instance of a Pool"],
  ["postgres.js", Object.assign(() => [], { unsafe: method }), `it is postgres.js: give { query: async`],
  ["Knex", Object.assign(() => [], { raw: method }), orm],
  ["pg-promise", { query, oneOrNone: method, $pool: {} }, "it is pg-promise: give its db.$pool"],
  ["Slonik", { query, oneFirst: method }, "it is Slonik: give a separate pg.Pool"],
  ["@databases/pg", { query, tx: method, task: method }, "it is @databases/pg: give a separate pg.Pool"],
  ["mysql2", { query, execute: method, escapeId: method }, "it is MySQL's: give a pg.Pool of a Postgres database"],
  ["Drizzle", { execute: method }, orm],
  ["Prisma", { $queryRaw: method }, orm],
  ["Kysely", { executeQuery: method }, orm],
  ["Sequelize", { query, authenticate: method, define: method }, orm],
  ["TypeORM's DataSource", { query, createQueryRunner: method }, orm],
]

it.each(mistakes)("a connection that is %s is refused with advice", (_, db, hint) => {
  expect(() => postgresStore({ db: db as Connection })).toThrow(`${wanted}; ${hint}`)
})

it("docs/scaling.md advises a connection for each driver and ORM", () => {
  const page = readFileSync(new URL("../../../docs/scaling.md", import.meta.url), "utf8")
  const [, table = ""] = page.split("| Your app has ")
  const [clients = ""] = table.split("\nIt needs PostgreSQL 15")
  const names = mistakes.slice(3).map(([name]) => name.replace("'s DataSource", ""))
  expect(names).toHaveLength(11)
  for (const name of ["pglite", ...names]) expect(clients).toContain(name)
})

it("a host's own connection is accepted, although it has methods like an ORM's", () => {
  expect(() => postgresStore({ db: { query, execute: method, authenticate: method } as Connection })).not.toThrow()
})

it("a pg.Client can connect after the store is made, but must connect before the start", async () => {
  const client = new pg.Client()
  const sentence = "it is a pg.Client without a connection: await its connect() first"
  await expect(openStore({ db: client })).rejects.toThrow(sentence)
  await expect(migrate(client)).rejects.toThrow(sentence)
})

import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import pg from "pg"
import { expect, it } from "vitest"

const query = () => Promise.resolve({ rows: [] })
const method = () => undefined
const wanted = 'postgresStore: the option "db" must be a pg.Pool, or what pgliteConnection or neonConnection makes'

it.each<[string, unknown, string]>([
  ["an address", "postgres://127.0.0.1/shop", "it is a text: give new pg.Pool({ connectionString }) of the package pg"],
  ["a PGlite", { query, execProtocol: method }, "it is a PGlite: give pgliteConnection(pglite)"],
  ["a class", pg.Pool, "it is a function: of Neon's give neonConnection(neon), of a Pool an instance"],
  ["Drizzle", { execute: method }, "it is an ORM: give the pool that the ORM was given"],
  ["Prisma", { $queryRaw: method }, "it is an ORM: give the pool that the ORM was given"],
])("%s in a connection's place is refused by what to give instead", (_, db, hint) => {
  expect(() => postgresStore({ db: db as Connection })).toThrow(`${wanted}; ${hint}`)
})

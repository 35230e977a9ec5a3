import { migrate, postgresStore } from "@pixcharge/store-postgres"
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { migrations as steps } from "../src/schema/migrations.ts"

const pool = await realPostgres()

const diagnose = (options: Parameters<typeof postgresStore>[0]) => postgresStore(options).diagnose?.({})

describe("the diagnosis of the database", () => {
  it("names the server's version and the missing migrations, and runs none", async () => {
    const pending = `schema "empty" has version 0, ${steps.length} of ${steps.length} are pending`
    expect(await diagnose({ db: pool, schema: "empty" })).toEqual([
      { check: "database", status: "ok", message: expect.stringMatching(/^Postgres \d+.* answers$/) },
      { check: "rights", status: "ok", message: 'no right to schema "empty" is missing' },
      { check: "migrations", status: "ok", message: `${pending}: the next start runs them` },
    ])
    const [, , migrations] = (await diagnose({ db: pool, schema: "empty", migrations: "check" })) ?? []
    const command = "npx -p @pixcharge/store-postgres pixcharge-postgres migrate"
    expect(migrations).toMatchObject({ status: "failed", message: expect.stringContaining(command) })
    const { rows } = await pool.query("SELECT FROM pg_namespace WHERE nspname = 'empty'")
    expect(rows).toEqual([])
  })

  it("finds no missing migrations in a current schema, and unknown migrations in a newer schema", async () => {
    await migrate(pool, { schema: "current" })
    const look = async () => (await diagnose({ db: pool, schema: "current" }))?.at(-1)
    expect(await look()).toMatchObject({ status: "ok", message: expect.stringContaining("no migration is pending") })
    await pool.query("INSERT INTO current.migrations VALUES ($1, 'later', '', $1)", [steps.length + 1])
    expect(await look()).toMatchObject({ status: "failed", message: expect.stringContaining("update @pixcharge") })
  })

  it("advises what to give if the connection doesn't lead to a database", async () => {
    const db = { query: () => Promise.resolve({ rows: [] }) }
    expect(await diagnose({ db })).toEqual([
      {
        check: "database",
        status: "failed",
        message: "no answer: give postgresStore the connection as db, a pg.Pool for example",
      },
    ])
  })

  it.each([
    ["a port without a listener", { host: "127.0.0.1", port: 1 }, /ECONNREFUSED.*host, port/],
    ["a missing database", { database: "no_such_database" }, /3D000.*create the database/],
    ["a missing user", { user: "no_such_user_of_ours" }, /28(000|P01).*check user/],
  ])("advises what to do about %s, without naming users or databases", async (_, changes, message) => {
    const { connectionString } = pool.options as { readonly connectionString: string }
    const url = new URL(connectionString)
    const given = { host: url.hostname, port: Number(url.port), user: url.username, database: url.pathname.slice(1) }
    const other = new pg.Pool({ ...given, password: decodeURIComponent(url.password), ...changes })
    onTestFinished(() => other.end())
    const findings = await diagnose({ db: other })
    expect(findings).toEqual([{ check: "database", status: "failed", message: expect.stringMatching(message) }])
    expect(JSON.stringify(findings)).not.toMatch(/no_such/)
  })

  const answering = (query: () => Promise<unknown>) => diagnose({ db: { query } as never })

  it.each([
    ["42501", "give the user the right to create and use the schema"],
    ["28000", "check user and password"],
    ["3D000", "create the database, or name another"],
    ["57P01", "check host, port and TLS of the connection"],
  ])("advises what to do about the code %s", async (code, advice) => {
    const findings = await answering(() => Promise.reject(Object.assign(new Error("no"), { code })))
    expect(findings).toEqual([{ check: "database", status: "failed", message: `no answer (${code}): ${advice}` }])
  })

  it.each([
    ["14.1", 14, "failed", "Postgres 14.1 is too old: update it to 15 or newer"],
    ["15.0", 15, "ok", "Postgres 15.0 answers"],
  ])("reports whether Postgres %s is new enough", async (version, major, status, message) => {
    const findings = await answering(async () => ({
      rows: [{ server_version: version, server_encoding: "UTF8", major }],
    }))
    expect(findings?.[0]).toEqual({ check: "database", status, message })
    if (status === "failed") expect(findings).toHaveLength(1)
  })

  it("reports an invalid schema name as a finding, not an error", async () => {
    expect(await diagnose({ db: pool, schema: "a-b" })).toMatchObject([{ check: "database", status: "failed" }])
  })
})

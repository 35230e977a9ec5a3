import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { foldName } from "@pixcharge/core/charges"
import {
  checkSchema,
  type Connection,
  migrate,
  postgresDirectory,
  postgresStore,
  printMigrations,
  type SchemaIncomplete,
} from "@pixcharge/store-postgres"
import { aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { describe, expect, inject, it, onTestFinished, vi } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { runCommand } from "../src/upkeep/runCommand.ts"
import { migrations } from "../src/schema/migrations.ts"
import { secrets } from "./directorySuites.ts"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres({ max: 20 })

const url = `${inject("postgresUrl")}/${new URL(pool.options.connectionString ?? "").pathname.slice(1)}`

let schemas = 0
const freshSchema = () => `migrated_${schemas++}`

const buildStore = (options: Parameters<typeof postgresStore>[0]) =>
  Effect.runPromise(Effect.scoped(Layer.build(postgresStore(options))))

const versions = async (schema: string): Promise<ReadonlyArray<number>> => {
  const { rows } = await pool.query(`SELECT version FROM ${schema}.migrations ORDER BY version`)
  return rows.map(({ version }: { version: number }) => version)
}

const readShape = async (schema: string): Promise<string> => {
  const { rows } = await pool.query(
    `SELECT table_name, column_name, data_type, is_nullable, replace(column_default, $1, '') FROM information_schema.columns
     WHERE table_schema = $1
     UNION ALL
     SELECT tablename, indexname, replace(indexdef, schemaname, ''), '', '' FROM pg_indexes WHERE schemaname = $1
     ORDER BY 1, 2, 3`,
    [schema],
  )
  return JSON.stringify(rows)
}

const everyVersion = migrations.map(({ version }) => version)

describe("migrations", () => {
  it("bring an empty database up to date, once", async () => {
    const schema = freshSchema()
    expect((await migrate(pool, { schema })).map(({ version }) => version)).toEqual(everyVersion)
    expect(await migrate(pool, { schema })).toEqual([])
    expect(await versions(schema)).toEqual(everyVersion)
  })

  it("let ten hosts boot together on an empty database", async () => {
    const schema = freshSchema()
    const pools = Array.from({ length: 10 }, () => new pg.Pool(pool.options))
    onTestFinished(async () => {
      await Promise.all(pools.map((one) => one.end()))
    })
    await Promise.all(pools.map((db) => buildStore({ db, schema })))
    expect(await versions(schema)).toEqual(everyVersion)
  })

  it("let only one company own a payment, even if another program records the payment", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    const insert = (issuer: string, endToEndId: string) =>
      pool.query(
        `INSERT INTO ${schema}.payments
         (issuer, end_to_end_id, amount_cents, paid_at, recorded_at, late, other_amount, settles)
         VALUES ($1, $2, 1, now(), now(), false, false, false) ON CONFLICT DO NOTHING RETURNING issuer`,
        [issuer, endToEndId],
      )
    expect((await insert("a", "Shared")).rows).toEqual([{ issuer: "a" }])
    expect((await insert("b", "shared")).rows).toEqual([])
    expect((await insert("b", "own")).rows).toEqual([{ issuer: "b" }])
    const { rows } = await pool.query(`SELECT end_to_end_id, owner FROM ${schema}.payment_owners ORDER BY 1`)
    expect(rows.map(Object.values)).toEqual([
      ["own", "b"],
      ["shared", "a"],
    ])
  })

  it("work under any valid schema name", async () => {
    for (const schema of ["_", "a".repeat(31), "select", "pix_2"]) {
      const { store } = await openStore({ db: pool, schema })
      const charge = aPendingCharge()
      await run(store.insert(charge))
      expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
    }
  })

  it("create a function that folds names as the core does, letter by letter", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    const letters = Array.from({ length: 0x250 - 1 }, (_, index) => String.fromCodePoint(index + 1))
    const { rows } = await pool.query(`SELECT ${schema}.folded_name(l) AS folded FROM unnest($1::text[]) l`, [letters])
    expect(rows.map(({ folded }: { folded: string }) => folded)).toEqual(letters.map(foldName))
    expect([foldName("JOÃO d'Água"), foldName("ÇÑŸÝß")]).toEqual(["joao d'agua", "cnŸyß"])
  })

  it("refuse a schema name that needs escaping", async () => {
    for (const schema of ["", "Pix", "1pix", "pix-charge", "a".repeat(32), 'x"; DROP TABLE y; --', "ação", "a b"]) {
      await expect(buildStore({ db: pool, schema })).rejects.toThrow("The option schema must have 1 to 31")
      expect(() => printMigrations({ schema })).toThrow("The option schema must have 1 to 31")
    }
  })

  it("don't treat an unreadable database as an empty database", async () => {
    const refusal = Object.assign(new Error("permission denied for table migrations"), { code: "42501" })
    const db: Connection = { query: () => Promise.reject(refusal) }
    await expect(checkSchema(db)).rejects.toMatchObject({ _tag: "SqlFailure", sqlState: "42501" })
  })

  it("refuse an unreleased schema or a lost table of migrations, and the doctor says why", async () => {
    const flaws = {
      // The record of the first step lacks its digest.
      SchemaUnreleased: [
        "ALTER TABLE @.migrations DROP COLUMN digest",
        "was made by an unreleased version of @pixcharge/store-postgres",
      ],
      SchemaIncomplete: ["DROP TABLE @.migrations", "Restore the whole backup"],
    } as const
    for (const [tag, [flaw, reason]] of Object.entries(flaws)) {
      const schema = freshSchema()
      await migrate(pool, { schema })
      await pool.query(flaw.replace("@", schema))
      const expected = { _tag: "StoreNotReady", message: expect.stringContaining(reason), cause: { _tag: tag } }
      for (const when of ["run", "check"] as const) {
        const options = { db: pool, schema, migrations: when }
        await expect(buildStore(options)).rejects.toMatchObject(expected)
        expect((await postgresStore(options).diagnose?.({}))?.at(-1)).toEqual({
          check: "migrations",
          status: "failed",
          message: expect.stringContaining(reason),
        })
      }
      const directory = postgresDirectory({ db: pool, schema, ...secrets })
      await expect(Effect.runPromise(Effect.scoped(Layer.build(directory)))).rejects.toMatchObject(expected)
      await expect(checkSchema(pool, { schema })).rejects.toMatchObject({ _tag: tag })
      await expect(runCommand(["migrate", "--url", url, "--schema", schema])).rejects.toThrow(reason)
    }
  })

  it("look for every named object in a schema without the table of migrations", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    const { rows } = await pool.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind NOT IN ('i', 'S') AND relname <> 'migrations'
       UNION SELECT proname FROM pg_proc WHERE pronamespace = $1::regnamespace`,
      [schema],
    )
    await pool.query(`DROP TABLE ${schema}.migrations`)
    const error: unknown = await checkSchema(pool, { schema }).catch((cause: unknown) => cause)
    const all = rows.map(({ name }: { name: string }) => name)
    expect(new Set((error as SchemaIncomplete).found)).toEqual(new Set(all))
  })

  it("fail if the host runs migrations separately and some are missing", async () => {
    const schema = freshSchema()
    await expect(buildStore({ db: pool, schema, migrations: "check" })).rejects.toThrow(
      "npx -p @pixcharge/store-postgres pixcharge-postgres migrate",
    )
    await migrate(pool, { schema })
    await expect(buildStore({ db: pool, schema, migrations: "check" })).resolves.toBeDefined()
  })

  it("fail with one clear error if the database can't be reached", async () => {
    const nowhere = new pg.Pool({ host: "127.0.0.1", port: 1 })
    await expect(buildStore({ db: nowhere })).rejects.toMatchObject({
      _tag: "StoreNotReady",
      message: expect.stringContaining("The database can't be used: connect ECONNREFUSED"),
    })
  })

  it("set storage options for fast-growing and often changed tables", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    const { rows } = await pool.query(
      `SELECT relname, reloptions FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND reloptions IS NOT NULL ORDER BY 1`,
    )
    expect(rows.map(({ relname }: { relname: string }) => relname)).toEqual([
      "charges",
      "deliveries",
      "queue_leases",
      "reconciliations",
      "settled_deliveries",
    ])
    expect(rows[0].reloptions).toContain("autovacuum_vacuum_scale_factor=0.02")
  })

  it("let Postgres vacuum and analyze often changed tables after thousands of changes", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    const { rows } = await pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace
        AND reloptions @> '{autovacuum_vacuum_threshold=2000,autovacuum_analyze_threshold=5000}' ORDER BY 1`,
    )
    const names = rows.map(({ relname }: { relname: string }) => relname)
    expect(names).toEqual(["charges", "deliveries", "queue_leases", "reconciliations"])
  })

  it("work for a role that can't create schemas, in an existing schema", async () => {
    const schema = freshSchema()
    const options = narrowOptions()
    await pool.query(`
      CREATE ROLE ${options.user} LOGIN PASSWORD 'narrow';
      CREATE SCHEMA ${schema} AUTHORIZATION ${options.user}`)
    const narrow = new pg.Pool({ ...pool.options, connectionString: undefined, ...options })
    onTestFinished(() => narrow.end())
    expect(await migrate(narrow, { schema })).toHaveLength(migrations.length)
  })
})

const narrowOptions = () => {
  const { hostname, port, pathname } = new URL(pool.options.connectionString ?? "")
  const database = pathname.slice(1)
  return {
    host: hostname,
    port: Number(port),
    database,
    // The name contains the database's, because a role belongs to the whole server.
    user: `narrow_${database}`,
    password: "narrow",
  }
}

describe("printed migrations", () => {
  it("make the same schema as the store's migrations, and the store boots on it", async () => {
    const [migrated, printed] = [freshSchema(), freshSchema()]
    await migrate(pool, { schema: migrated })
    await pool.query(printMigrations({ schema: printed }))
    expect(await readShape(printed)).toBe(await readShape(migrated))
    await expect(buildStore({ db: pool, schema: printed, migrations: "check" })).resolves.toBeDefined()
  })

  it("work in a psql with another terminal encoding", async () => {
    const schema = freshSchema()
    const client = await pool.connect()
    onTestFinished(() => client.release(true))
    await client.query("SET client_encoding = 'LATIN1'")
    // Sends statements one by one, like psql. Here, only the single-line statements at the beginning need this.
    const [, head = "", rest] = /^((?:.*;\n)*)([^]*)$/.exec(printMigrations({ schema })) ?? []
    for (const text of [...head.trim().split("\n"), rest]) await client.query(text ?? "")
    const { rows } = await pool.query(`SELECT ${schema}.folded_name('JOSÉ') AS folded`)
    expect(rows).toEqual([{ folded: "jose" }])
  })
})

describe("the command pixcharge-postgres", () => {
  const environment = { DATABASE_URL: url }

  it("prints what it did, or fails with the reason", async () => {
    const command = (args: ReadonlyArray<string>, databaseUrl = "") =>
      promisify(execFile)(process.execPath, ["dist/bin/pixcharge-postgres.js", ...args], {
        cwd: `${import.meta.dirname}/..`,
        env: { ...process.env, DATABASE_URL: databaseUrl },
      })
    const schema = freshSchema()
    await migrate(pool, { schema })
    expect((await command(["migrate", "--schema", schema], url)).stdout).toBe("the schema is up to date\n")
    await expect(command(["migrate"])).rejects.toMatchObject({
      code: 1,
      stderr: "no database is named: give --url or set DATABASE_URL\n",
    })
  })

  it("migrates the database of DATABASE_URL or --url", async () => {
    const [first, second] = [freshSchema(), freshSchema()]
    const steps = migrations.map(({ version, name }) => `\n${version}: ${name}`)
    expect(await runCommand(["migrate", "--schema", first], environment)).toBe(`migrated${steps.join("")}`)
    expect(await runCommand(["migrate", "--url", url, "--schema", first])).toBe("the schema is up to date")
    await runCommand(["migrate", "--url", url, "--schema", second], { DATABASE_URL: "postgres://127.0.0.1:1/x" })
    expect(await readShape(first)).toBe(await readShape(second))
  })

  it("prints the migrations for another tool", async () => {
    expect(await runCommand(["--print"])).toBe(printMigrations())
    expect(await runCommand(["--print", "--schema", "minha_loja"])).toBe(printMigrations({ schema: "minha_loja" }))
    expect(await runCommand(["--print", "--from", "2"])).toBe(printMigrations({ from: 2 }))
    for (const from of ["x", "0", "1.5"]) {
      await expect(runCommand(["--print", "--from", from])).rejects.toThrow(`--from takes a version, not ${from}`)
    }
  })

  it("deletes deliveries that were settled more than the given number of days ago", async () => {
    const schema = freshSchema()
    await migrate(pool, { schema })
    await pool.query(`
      INSERT INTO ${schema}.settled_deliveries (
        issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded, status, settled_at
      )
      SELECT 'a', 'evt_' || days, 'loja', '{}', 'paid', t, gen_random_uuid(), 2, 1, 1, 'delivered', t
      FROM unnest(ARRAY[40, 20]) days, LATERAL (SELECT now() - days * interval '1 day' AS t) m`)
    const maintain = (days: string) => runCommand(["maintenance", "--days", days, "--url", url, "--schema", schema])
    expect(await maintain("30")).toBe("1 deliveries deleted")
    expect(await maintain("30")).toBe("0 deliveries deleted")
    expect(await maintain("1")).toBe("1 deliveries deleted")
    for (const days of ["0", "0.9", "x"]) {
      await expect(maintain(days)).rejects.toThrow(`--days takes a number of days from 1, not ${days}`)
    }
    await expect(runCommand(["maintenance"], environment)).rejects.toThrow("--days takes a number of days from 1")
  })

  it("fails with the usage or the missing value", async () => {
    for (const none of [undefined, ""]) {
      await expect(runCommand(["migrate"], { DATABASE_URL: none })).rejects.toThrow("no database is named")
    }
    for (const args of [[], ["migrat"], ["keys"], ["keys", "make"], ["keys", "mak", "12345678000195"]])
      await expect(runCommand(args, environment)).rejects.toThrow("--print [--schema <name>]")
    for (const args of [["--help"], ["-h"]]) expect(await runCommand(args)).toContain("--print [--schema <name>]")
    vi.doMock("pg", () => {
      throw new Error("no such module")
    })
    onTestFinished(() => void vi.doUnmock("pg"))
    await expect(runCommand(["migrate"], environment)).rejects.toThrow("npm install pg")
  })

  it("closes its connections, even if its work fails", async () => {
    const end = vi.spyOn(pg.Pool.prototype, "end")
    onTestFinished(() => end.mockRestore())
    await runCommand(["migrate", "--schema", freshSchema()], environment)
    await expect(runCommand(["migrate"], { DATABASE_URL: "postgres://127.0.0.1:1/x" })).rejects.toThrow("ECONNREFUSED")
    expect(end).toHaveBeenCalledTimes(2)
  })
})

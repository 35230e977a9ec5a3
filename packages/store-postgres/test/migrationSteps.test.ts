import type { Connection } from "@pixcharge/store-postgres"
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { checkBy, migrateBy } from "../src/schema/migrate.ts"
import { type Migration, migrations, printSteps } from "../src/schema/migrations.ts"

const pool = await realPostgres({ max: 20 })

let schemas = 0
const freshSchema = () => `stepped_${schemas++}`

// The steps of three releases. Each release has one step more than the release before it.
const shops: Migration = {
  version: 1,
  name: "shops",
  statements: `
CREATE TABLE @.shops (id integer PRIMARY KEY);
CREATE FUNCTION @.count_shops() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM @.shops $$;
CREATE VIEW @.open_shops AS SELECT id FROM @.shops;`,
}
const names: Migration = {
  version: 2,
  name: "names of shops",
  readableFrom: 1,
  statements: "ALTER TABLE @.shops ADD COLUMN name text;",
}
const owners: Migration = {
  version: 3,
  name: "owners of shops",
  statements: "ALTER TABLE @.shops ADD COLUMN owner text NOT NULL;",
}
const [oldest, older, newest] = [[shops], [shops, names], [shops, names, owners]] as const

const readRecords = async (schema: string) =>
  (await pool.query(`SELECT version, name, readable_from FROM ${schema}.migrations ORDER BY version`)).rows.map(
    Object.values,
  )

const columns = async (schema: string) =>
  (
    await pool.query(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'shops' ORDER BY 1",
      [schema],
    )
  ).rows.map(({ name }: { name: string }) => name)

it("this release numbers its steps from 1, and each step can be read from its own version or an earlier one", () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
  for (const { version, readableFrom = version } of migrations) expect(readableFrom).toBeLessThanOrEqual(version)
})

describe("migration steps", () => {
  it("run in order, once each, and are recorded", async () => {
    const schema = freshSchema()
    expect(await migrateBy(oldest, pool, { schema })).toEqual([{ version: 1, name: "shops" }])
    expect(await migrateBy(newest, pool, { schema })).toEqual([
      { version: 2, name: "names of shops" },
      { version: 3, name: "owners of shops" },
    ])
    expect(await migrateBy(newest, pool, { schema })).toEqual([])
    expect(await columns(schema)).toEqual(["id", "name", "owner"])
    expect(await readRecords(schema)).toEqual([
      [1, "shops", 1],
      [2, "names of shops", 1],
      [3, "owners of shops", 3],
    ])
  })

  it("run once when ten processes boot together, on an empty or older database", async () => {
    const schema = freshSchema()
    const pools = Array.from({ length: 10 }, () => new pg.Pool(pool.options))
    onTestFinished(async () => {
      await Promise.all(pools.map((one) => one.end()))
    })
    for (const steps of [oldest, newest]) {
      await Promise.all(pools.map((db) => migrateBy(steps, db, { schema })))
      expect((await readRecords(schema)).map(([version]) => version)).toEqual(steps.map(({ version }) => version))
    }
  })

  it("leave no trace after a failure", async () => {
    const schema = freshSchema()
    await migrateBy(older, pool, { schema })
    await pool.query(`INSERT INTO ${schema}.shops VALUES (1)`)
    await expect(migrateBy(newest, pool, { schema })).rejects.toMatchObject({ _tag: "SqlFailure", sqlState: "23502" })
    expect(await columns(schema)).toEqual(["id", "name"])
    expect((await readRecords(schema)).map(([version]) => version)).toEqual([1, 2])
  })

  it("can be printed from a version on", async () => {
    const schema = freshSchema()
    await pool.query(printSteps(oldest, { schema }))
    await pool.query(printSteps(newest, { schema, from: 2 }))
    await expect(checkBy(newest, pool, { schema })).resolves.toBeUndefined()
    expect(await columns(schema)).toEqual(["id", "name", "owner"])
    expect(printSteps(newest, { schema, from: 4 })).not.toContain("ALTER TABLE")
  })
})

describe("a release", () => {
  it("runs on the schema of a newer release if its steps permit, and is refused otherwise", async () => {
    const schema = freshSchema()
    await migrateBy(older, pool, { schema })
    expect(await migrateBy(oldest, pool, { schema })).toEqual([])
    await expect(checkBy(oldest, pool, { schema })).resolves.toBeUndefined()
    await migrateBy(newest, pool, { schema })
    for (const steps of [oldest, older]) {
      for (const use of [migrateBy, checkBy]) {
        await expect(use(steps, pool, { schema })).rejects.toMatchObject({
          _tag: "SchemaTooNew",
          message: `Schema "${schema}" has version 3, newer than version ${steps.length} of this release of @pixcharge/store-postgres. Update the package, or use another schema.`,
        })
      }
    }
  })

  it("refuses a schema that lacks migrations if the release runs none itself", async () => {
    const schema = freshSchema()
    await expect(checkBy(older, pool, { schema })).rejects.toMatchObject({ _tag: "SchemaTooOld", found: 0, known: 2 })
    await migrateBy(oldest, pool, { schema })
    await expect(checkBy(older, pool, { schema })).rejects.toMatchObject({ _tag: "SchemaTooOld", found: 1, known: 2 })
  })

  it.each<[string, Migration]>([
    ["statements", { ...names, statements: "ALTER TABLE @.shops ADD COLUMN title text;" }],
    ["name", { ...names, name: "titles of shops" }],
  ])("refuses a schema in which a step with a known number has other %s", async (_, other) => {
    const schema = freshSchema()
    await migrateBy([shops, other, owners], pool, { schema })
    for (const steps of [older, newest]) {
      for (const use of [migrateBy, checkBy]) {
        await expect(use(steps, pool, { schema })).rejects.toMatchObject({
          _tag: "SchemaUnreleased",
          version: 2,
          message: `Schema "${schema}" was made by an unreleased version of @pixcharge/store-postgres: its migration 2 differs from this release's. Export what you need, drop the schema, and migrate.`,
        })
      }
    }
    expect((await readRecords(schema)).map(([version]) => version)).toEqual([1, 2, 3])
  })

  it("is refused if an unreleased version migrated the empty database first", async () => {
    const schema = freshSchema()
    const boot = (statements: string) => migrateBy([{ ...shops, statements }], pool, { schema }).catch((error) => error)
    const ended = await Promise.all([boot(shops.statements), boot("CREATE TABLE @.shops (id bigint);")])
    expect(ended.filter((end) => Array.isArray(end))).toHaveLength(1)
    expect(ended.find((end) => !Array.isArray(end))).toMatchObject({ _tag: "SchemaUnreleased", version: 1 })
  })
})

describe("a schema without the records of its migrations", () => {
  const everything = ["shops", "count_shops", "open_shops"]
  it.each([
    ["a lost table of migrations", "DROP TABLE @.migrations", everything],
    ["an empty table of migrations", "DELETE FROM @.migrations", everything],
    ["a lost row of migrations", "DELETE FROM @.migrations WHERE version = 1", everything],
    ["only a function is left", "DROP VIEW @.open_shops; DROP TABLE @.migrations, @.shops CASCADE", ["count_shops"]],
  ])("is refused, not migrated from zero: %s", async (_, loss, found) => {
    const schema = freshSchema()
    await migrateBy(older, pool, { schema })
    await pool.query(loss.replaceAll("@.", `${schema}.`))
    for (const use of [migrateBy, checkBy]) {
      await expect(use(newest, pool, { schema })).rejects.toMatchObject({
        _tag: "SchemaIncomplete",
        found,
        message: `Schema "${schema}" has ${found.join(", ")}, but its table migrations doesn't say how they were made. Restore the whole backup, or use another schema.`,
      })
    }
    expect(await columns(schema)).toEqual(found.includes("shops") ? ["id", "name"] : [])
  })

  it.each([
    ["has other columns", "CREATE TABLE @.migrations (id integer, name text)"],
    ["has versions as strings", "CREATE TABLE @.migrations (version text, name text)"],
    [
      "counts by days",
      "CREATE TABLE @.migrations (version bigint, name text); INSERT INTO @.migrations VALUES (20260101, 'x')",
    ],
  ])("is refused if another program's table migrations %s", async (_, create) => {
    const schema = freshSchema()
    await pool.query(`CREATE SCHEMA ${schema}; ${create.replaceAll("@.", `${schema}.`)}`)
    for (const use of [migrateBy, checkBy]) {
      await expect(use(newest, pool, { schema })).rejects.toMatchObject({
        _tag: "SchemaIncomplete",
        message: `Table migrations of schema "${schema}" is another program's, or lacks rows. Restore the whole backup, or use another schema.`,
      })
    }
  })

  it("is migrated if it is empty or has only another program's objects", async () => {
    for (const content of ["", "CREATE TABLE @.orders (id integer); CREATE FUNCTION @.f() RETURNS integer RETURN 1"]) {
      const schema = freshSchema()
      await pool.query(`CREATE SCHEMA ${schema}; ${content.replaceAll("@.", `${schema}.`)}`)
      expect(await migrateBy(older, pool, { schema })).toHaveLength(2)
    }
  })

  it("is used if another process runs the first step between two reads", async () => {
    const schema = freshSchema()
    const late: Connection = {
      query: async (statement) => {
        const found = await pool.query(statement)
        if (statement.text.includes("pg_proc")) await migrateBy(older, pool, { schema })
        return found
      },
    }
    expect(await migrateBy(older, late, { schema })).toEqual([])
  })
})

import { migrate } from "@pixcharge/store-postgres"
import { install } from "@pixcharge/verify/release"
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import pg from "pg"
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"

const run = promisify(execFile)
const example = join(import.meta.dirname, "..")

const loss = (kind: string, ...entity: ReadonlyArray<string>) => ({ type: "confirm_data_loss", kind, entity })

/**
 * Both release lines of drizzle-kit. The `hints` confirm the loss of pixcharge's tables when 1.0 asks about it. The packages
 * stay out of the workspace: they take 150 MB, and each needs its own `drizzle-orm`.
 */
const lines = [
  { kit: "0.31.11", orm: "0.45.4", hints: [] },
  {
    kit: "1.0.0-rc.5",
    orm: "1.0.0-rc.5",
    hints: [loss("table", "pixcharge", "migrations"), loss("schema", "pixcharge")],
  },
]

/** The schema's relations with their object ids. A relation that is dropped and made again gets a new id. */
const relationsIn = async (db: pg.Pool, schema: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await db.query<{ relation: string }>(
    `SELECT c.relname || ' ' || c.oid AS relation FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 ORDER BY c.oid`,
    [schema],
  )
  return rows.map(({ relation }) => relation)
}

describe.each(lines)("push of drizzle-kit $kit", { tags: ["long"] }, ({ kit, orm, hints }) => {
  const drops = hints.length > 0
  const answers = drops ? ["--hints", JSON.stringify(hints)] : []
  let folder = ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "pixcharge-drizzle-"))
    await install(folder, { "drizzle-kit": kit, "drizzle-orm": orm, pg: "8" })
    for (const part of ["src", "drizzle.config.ts"])
      cpSync(join(example, part), join(folder, part), { recursive: true })
    return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  /** A database with pixcharge's relations, and the command that pushes the shop's schema into it. */
  const openDatabase = async (name: string) => {
    const server = inject("postgresUrl")
    const admin = new pg.Pool({ connectionString: `${server}/postgres` })
    await admin.query(`CREATE DATABASE "${name}"`)
    await admin.end()
    const url = `${server}/${encodeURIComponent(name)}`
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(() => pool.end())
    await migrate(pool)
    const before = await relationsIn(pool, "pixcharge")
    const push = (...more: ReadonlyArray<string>) =>
      run(process.execPath, ["node_modules/drizzle-kit/bin.cjs", "push", "--force", ...more], {
        cwd: folder,
        env: { ...process.env, DATABASE_URL: url },
      })
    await push()
    expect((await relationsIn(pool, "public")).join()).toContain("orders")
    return { push, before, read: () => relationsIn(pool, "pixcharge") }
  }

  it("makes the shop's table with the example's settings, and leaves pixcharge's tables unchanged", async () => {
    const { push, before, read } = await openDatabase(`shop ${kit}`)
    expect(before.length).toBeGreaterThan(5)
    await push(...answers)
    expect(await read()).toEqual(before)
  })

  it(`${drops ? "drops" : "leaves"} pixcharge's tables without \`schemaFilter\``, async () => {
    const { push, before, read } = await openDatabase(`shop without it ${kit}`)
    const settings = join(folder, "drizzle.config.ts")
    writeFileSync(settings, readFileSync(settings, "utf8").replace("schemaFilter:", "unused:"))
    // drizzle-kit 1.0 then fails to drop the schema, which still has functions.
    await (drops ? expect(push(...answers)).rejects.toThrow() : push())
    expect(await read()).toEqual(drops ? [] : before)
  })
})

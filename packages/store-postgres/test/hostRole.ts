import { readFileSync } from "node:fs"
import { migrate } from "@pixcharge/store-postgres"
import pg from "pg"
import { afterAll } from "vitest"

const page = new URL("../../../docs/operations/database.md", import.meta.url)

/** The grants of docs/operations/database.md for a host's role. */
export const grants = (schema: string, role: string): string => {
  const [, sql] = /## Rights in the database\n[^]*?```sql\n([^]*?)```/.exec(readFileSync(page, "utf8")) ?? []
  if (sql === undefined) throw new Error("expected grants in docs/operations/database.md")
  return sql
    .replaceAll("pixcharge_host", role)
    .replaceAll("pixcharge.", `${schema}.`)
    .replace("SCHEMA pixcharge ", `SCHEMA ${schema} `)
}

/** A pool whose role has only the rights of docs/operations/database.md in a migrated schema. */
export const hostRole = async (
  owner: pg.Pool,
  schema = "pixcharge",
): Promise<{ readonly role: string; readonly pool: pg.Pool }> => {
  const role = `host_${crypto.randomUUID().replaceAll("-", "")}`
  await migrate(owner, { schema })
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`)
  await owner.query(grants(schema, role))
  const url = new URL((owner.options as { readonly connectionString: string }).connectionString)
  url.username = role
  url.password = role
  const pool = new pg.Pool({ connectionString: url.href })
  afterAll(async () => {
    await pool.end()
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  })
  return { role, pool }
}

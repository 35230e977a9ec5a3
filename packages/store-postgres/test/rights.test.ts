import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { secrets } from "./directorySuites.ts"
import { directoryRights, type Rights, storeRights } from "../src/schema/rights.ts"
import { grants, hostRole } from "./hostRole.ts"

const owner = await realPostgres()
const { role, pool } = await hostRole(owner)
const store = postgresStore({ db: pool })
const directory = postgresDirectory({ db: pool, ...secrets })

const boot = (layer: typeof store | typeof directory) =>
  Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(layer as Layer.Layer<never, unknown>))))

const revoke = async (right: string): Promise<void> => {
  await owner.query(`REVOKE ${right} FROM ${role}`)
  onTestFinished(async () => void (await owner.query(`GRANT ${right} TO ${role}`)))
}

/** Lists rights as `GRANT` names them, such as `INSERT on payments`. */
const nameRights = (rights: Rights): ReadonlyArray<string> =>
  Object.entries(rights).flatMap(([name, privileges]) => privileges.map((privilege) => `${privilege} on ${name}`))

/** The grants of docs/operations/database.md, named in the same way. */
const granted = Array.from(
  grants("pixcharge", role).matchAll(/GRANT ([A-Z, ]+) ON(?: SEQUENCE)?\s([^;]+?)\s*TO/g),
).flatMap(([, privileges = "", tables = ""]) =>
  Array.from(tables.matchAll(/pixcharge\.(\w+)/g)).flatMap(([, table = ""]) =>
    privileges.split(", ").map((privilege) => `${privilege} on ${table}`),
  ),
)

it("checks each documented right at the start, except the rights for upkeep and registrations", () => {
  const requiredRights = new Set([...nameRights(storeRights), ...nameRights(directoryRights)])
  expect([...requiredRights].filter((right) => !granted.includes(right))).toEqual([])
  expect(granted.filter((right) => !requiredRights.has(right)).toSorted()).toEqual([
    "DELETE on credentials",
    "DELETE on delivery_attempts",
    "DELETE on endpoints",
    "INSERT on companies",
    "INSERT on credentials",
    "INSERT on endpoints",
    "INSERT on resellers",
    "UPDATE on companies",
    "UPDATE on credentials",
    "UPDATE on delivery_attempts",
    "UPDATE on resellers",
    "UPDATE on returns",
  ])
})

describe("the rights of a host's role", () => {
  it("suffice as docs/operations/database.md grants them", async () => {
    await boot(store)
    await boot(directory)
    expect((await store.diagnose?.({}))?.map(({ status }) => status)).toEqual(["ok", "ok", "ok"])
    expect(await directory.diagnose?.({})).toMatchObject([{ status: "ok" }])
  })

  it.each([
    ["USAGE ON SCHEMA pixcharge", "USAGE on the schema"],
    ["SELECT ON pixcharge.charges", "SELECT on charges"],
    ["INSERT ON pixcharge.payments", "INSERT on payments"],
    ["UPDATE ON pixcharge.queue_leases", "UPDATE on queue_leases"],
    ["DELETE ON pixcharge.deliveries", "DELETE on deliveries"],
    ["INSERT ON pixcharge.audit_entries", "INSERT on audit_entries"],
    ["SELECT ON pixcharge.migrations", "SELECT on migrations"],
    ["USAGE ON SEQUENCE pixcharge.audit_log_id_seq", "USAGE on audit_log_id_seq"],
  ])("must include %s, or the start fails and the doctor names the right", async (right, missing) => {
    await revoke(right)
    const message = expect.stringContaining(`lacks rights to schema "pixcharge": ${missing}. Grant`)
    await expect(boot(store)).rejects.toMatchObject({
      _tag: "StoreNotReady",
      message,
      cause: { _tag: "RightsMissing" },
    })
    expect(await store.diagnose?.({})).toMatchObject([{ status: "ok" }, { check: "rights", status: "failed", message }])
  })

  it.each([
    ["CREATE on the database", "unborn"],
    ["CREATE on the schema", "bare"],
  ])("must include %s, or a first start fails and the doctor names the right", async (missing, schema) => {
    if (schema === "bare") await owner.query(`CREATE SCHEMA bare; GRANT USAGE ON SCHEMA bare TO ${role}`)
    const empty = postgresStore({ db: pool, schema })
    const message = expect.stringContaining(`lacks rights to schema "${schema}": ${missing}. Grant`)
    await expect(boot(empty)).rejects.toMatchObject({ message, cause: { _tag: "RightsMissing" } })
    expect((await empty.diagnose?.({}))?.at(-1)).toMatchObject({ check: "rights", status: "failed", message })
    const checked = await postgresStore({ db: pool, schema, migrations: "check" }).diagnose?.({})
    expect(checked?.at(-1)).toMatchObject({ check: "migrations", message: expect.stringContaining("migrate`") })
  })

  it("don't let a role attach the owner's functions to its own table", async () => {
    const { rows } = await owner.query<{ call: string; settings: ReadonlyArray<string> | null; isPublic: boolean }>(
      `SELECT p.oid::regprocedure::text AS call, p.proconfig AS settings,
         has_function_privilege('public', p.oid, 'EXECUTE') AS "isPublic"
       FROM pg_proc p WHERE p.pronamespace = 'pixcharge'::regnamespace AND p.prosecdef ORDER BY 1`,
    )
    expect(rows.map(({ call }) => call)).toEqual([
      "pixcharge.claim_payment()",
      "pixcharge.record_endpoint()",
      "pixcharge.record_key()",
      "pixcharge.record_registration()",
    ])
    const client = await pool.connect()
    onTestFinished(() => client.release())
    await client.query(
      "CREATE TEMPORARY TABLE bait (issuer text, cnpj text, holder text, owner text, end_to_end_id text)",
    )
    for (const { call, settings, isPublic } of rows) {
      expect([settings, isPublic], call).toEqual([["search_path=pg_catalog, pg_temp"], false])
      const trigger = `CREATE TRIGGER bite BEFORE INSERT ON bait FOR EACH ROW EXECUTE FUNCTION ${call}`
      await expect(client.query(trigger), call).rejects.toMatchObject({ code: "42501" })
    }
  })

  it("are checked only after the schema is known to be this release's", async () => {
    const schema = "of_another_release"
    const other = await hostRole(owner, schema)
    await owner.query(`REVOKE SELECT ON ${schema}.charges FROM ${other.role}; DELETE FROM ${schema}.migrations`)
    const cause = { _tag: "SchemaIncomplete" }
    for (const migrations of ["run", "check"] as const)
      await expect(boot(postgresStore({ db: other.pool, schema, migrations }))).rejects.toMatchObject({ cause })
  })

  it("are checked for a directory, too", async () => {
    await revoke("UPDATE ON pixcharge.endpoints")
    const message = expect.stringContaining("UPDATE on endpoints")
    await expect(boot(directory)).rejects.toMatchObject({ _tag: "StoreNotReady", message })
    expect(await directory.diagnose?.({})).toMatchObject([{ status: "failed", message }])
  })
})

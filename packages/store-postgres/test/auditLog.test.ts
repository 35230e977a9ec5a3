import { Actor, type AuditChange, AuditLog, DirectoryAdmin } from "@pixcharge/core"
import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { anIndependent } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { hostRole } from "./hostRole.ts"

// All statements use one session.
const sessionPool = await realPostgres({ max: 1 })
const ownedByAna = await realPostgres({ max: 1, options: "-c pixcharge.actor=ana" })
const concurrentPool = await realPostgres({ max: 10 })

const pepper = [{ kid: "p1", secret: "a pepper that no database knows!" }] as const
const { cnpj: holder, integratorKey: _, ...rest } = anIndependent
const keyless = { cnpj: holder, ...rest }

let schemas = 0

const setUp = async (db: typeof sessionPool, schema = `audited_${schemas++}`) => {
  const scope = await Effect.runPromise(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const layer = Layer.merge(postgresDirectory({ db, schema, pepper }), postgresStore({ db, schema }))
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const log = Context.get(context, AuditLog)
  return {
    schema,
    log,
    admin: Context.get(context, DirectoryAdmin),
    records: async () => {
      const { items } = await Effect.runPromise(log.list(cnpj(holder), {}, { limit: 1_000 }))
      return items.map(({ by, change: { kind } }) => [by, kind] as const).toReversed()
    },
  }
}

const by = <A, E>(actor: string, change: Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provideService(change, Actor, actor))

describe("the audit log in the database", () => {
  it("pages through records with the same time when their ids gain a digit", async () => {
    const { log, schema } = await setUp(sessionPool)
    await sessionPool.query(
      `INSERT INTO ${schema}.audit_log (issuer, at, id, kind, details)
       SELECT $1, '2026-03-10T12:00:00Z', n, 'chargeCancelled', '{}' FROM generate_series(8, 12) n`,
      [holder],
    )
    const ids: Array<string> = []
    let cursor: string | undefined
    do {
      const page = await Effect.runPromise(log.list(cnpj(holder), {}, { limit: 2, ...(cursor && { cursor }) }))
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== undefined && ids.length < 20)
    expect(ids).toEqual(["12", "11", "10", "9", "8"])
  })

  it("refuses to change, delete or truncate a record, for any role", async () => {
    const { admin, schema, records } = await setUp(sessionPool)
    await by("ana", admin.putCompany(keyless))
    for (const statement of [
      `UPDATE ${schema}.audit_log SET actor = 'rui'`,
      `DELETE FROM ${schema}.audit_log`,
      `TRUNCATE ${schema}.audit_log`,
    ]) {
      await expect(sessionPool.query(statement)).rejects.toMatchObject({
        code: "42501",
        message: "the audit log is append-only",
      })
    }
    expect(await records()).toEqual([["ana", "companyRegistered"]])
  })

  it("refuses to change, delete or truncate a record even with triggers switched off", async () => {
    const { admin, schema, records } = await setUp(sessionPool)
    await by("ana", admin.putCompany(keyless))
    await sessionPool.query("SET session_replication_role = replica")
    onTestFinished(async () => void (await sessionPool.query("RESET session_replication_role")))
    for (const change of [
      `UPDATE ${schema}.audit_log SET actor = 'rui'`,
      `DELETE FROM ${schema}.audit_log`,
      `TRUNCATE ${schema}.audit_log`,
    ]) {
      await expect(sessionPool.query(change)).rejects.toMatchObject({ message: "the audit log is append-only" })
    }
    expect(await records()).toEqual([["ana", "companyRegistered"]])
  })

  it("doesn't let a host's role choose a record's time or number, or change a record", async () => {
    const schema = `audited_${schemas++}`
    const { pool } = await hostRole(sessionPool, schema)
    await pool.query(
      `INSERT INTO ${schema}.audit_entries (issuer, actor, kind, details) VALUES ('1', 'ana', 'x', '{}')`,
    )
    const denied = { code: "42501" }
    const values = "VALUES ('1', 'rui', 'x', '{}', '2020-01-01')"
    await expect(
      pool.query(`INSERT INTO ${schema}.audit_log (issuer, actor, kind, details, at) ${values}`),
    ).rejects.toMatchObject(denied)
    await expect(
      pool.query(`INSERT INTO ${schema}.audit_log (issuer, kind, details) VALUES ('1', 'x', '{}')`),
    ).rejects.toMatchObject(denied)
    await expect(
      pool.query(`INSERT INTO ${schema}.audit_entries (issuer, actor, kind, details, at) ${values}`),
    ).rejects.toMatchObject({ code: "42703" })
    await expect(pool.query(`SELECT ${schema}.record_change('1', 'x', '{}')`)).rejects.toMatchObject(denied)
    for (const relation of ["audit_log", "audit_entries"]) {
      await expect(pool.query(`UPDATE ${schema}.${relation} SET actor = 'rui'`)).rejects.toMatchObject(denied)
      await expect(pool.query(`DELETE FROM ${schema}.${relation}`)).rejects.toMatchObject(denied)
    }
    await expect(pool.query(`TRUNCATE ${schema}.audit_log`)).rejects.toMatchObject(denied)
    const { rows } = await sessionPool.query(
      `SELECT actor, at > now() - interval '1 hour' AS fresh FROM ${schema}.audit_log`,
    )
    expect(rows).toEqual([{ actor: "ana", fresh: true }])
  })

  it("records the deletion of a company or a reseller by a manual statement", async () => {
    const { admin, schema, records } = await setUp(sessionPool)
    await by("ana", admin.putReseller({ cnpj: holder, name: "Revenda", integratorKey: "chave da revenda" }))
    await by("ana", admin.putCompany({ ...keyless, reseller: holder }))
    await sessionPool.query(`DELETE FROM ${schema}.companies`)
    await sessionPool.query(`DELETE FROM ${schema}.resellers`)
    expect((await records()).slice(-2)).toEqual([
      [undefined, "companyRemoved"],
      [undefined, "resellerRemoved"],
    ])
  })

  it.each(["companies", "resellers", "credentials", "endpoints"])(
    "refuses to truncate %s, because no record would tell whose rows were removed",
    async (table) => {
      const { schema } = await setUp(sessionPool)
      await expect(sessionPool.query(`TRUNCATE ${schema}.${table} CASCADE`)).rejects.toMatchObject({
        code: "42501",
        message: `the audit log can't tell whose rows a TRUNCATE of ${table} removes: use DELETE`,
      })
    },
  )

  it("prevents a change that can't be recorded", async () => {
    const { admin, schema } = await setUp(sessionPool)
    await by("ana", admin.putCompany(keyless))
    await sessionPool.query(`ALTER TABLE ${schema}.audit_log ADD CHECK (kind <> 'walletDeactivated') NOT VALID`)
    await expect(by("ana", admin.setWallet(holder, false))).rejects.toMatchObject({ _tag: "DirectoryUnavailable" })
    const { rows } = await sessionPool.query(`SELECT wallet_active FROM ${schema}.companies`)
    expect(rows).toEqual([{ wallet_active: true }])
  })

  it("doesn't name the actor of an earlier change in the same session", async () => {
    const { admin, schema, records } = await setUp(sessionPool)
    await by("ana", admin.putCompany(keyless))
    // A manual change by an operator.
    await sessionPool.query(`UPDATE ${schema}.companies SET wallet_active = false`)
    await by("ana", admin.rotateKey(holder))
    await Effect.runPromise(admin.setWallet(holder, true))
    expect(await records()).toEqual([
      ["ana", "companyRegistered"],
      [undefined, "walletDeactivated"],
      ["ana", "keySet"],
      [undefined, "walletActivated"],
    ])
  })

  it("records no actor for a change without an actor, even if the database sets a default actor", async () => {
    const { admin, records } = await setUp(ownedByAna)
    await by("rui", admin.putCompany(keyless))
    await Effect.runPromise(admin.setWallet(holder, false))
    expect(await records()).toEqual([
      ["rui", "companyRegistered"],
      [undefined, "walletDeactivated"],
    ])
  })

  it("records concurrent changes in order: each record begins where the previous record ended", async () => {
    const { admin, records } = await setUp(concurrentPool)
    await by("ana", admin.putCompany(keyless))
    const people = Array.from({ length: 8 }, (_person, index) => `person ${index}`)
    await Promise.all(people.map((person) => by(person, admin.rotateKey(holder))))
    await Promise.all(people.map((person) => by(person, admin.setWallet(holder, false))))
    const [registered, ...later] = await records()
    expect(registered).toEqual(["ana", "companyRegistered"])
    const kinds = later.map(([, kind]) => kind)
    const expected: ReadonlyArray<AuditChange["kind"]> = [
      "keySet",
      ...Array.from({ length: 7 }, () => "keyReplaced" as const),
      "walletDeactivated",
    ]
    expect(kinds).toEqual(expected)
    expect(
      later
        .slice(0, 8)
        .map(([person]) => person)
        .toSorted(),
    ).toEqual(people)
  })
})

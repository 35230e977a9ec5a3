import { integratorKeyDigest } from "@pixcharge/core/directory"
import { postgresDirectory, type PostgresDirectoryOptions } from "@pixcharge/store-postgres"
import { aMember, anIndependent, aReseller, directoryUnderTest } from "@pixcharge/adapter-tests/suites"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { directorySchema, directorySuites, emptyDirectory, pepper, sealingKey, secrets } from "./directorySuites.ts"
import { hostRole } from "./hostRole.ts"

const postgres = await realPostgres()
const { pool } = await hostRole(postgres, directorySchema)

directorySuites("Postgres", pool, postgres)

const run = Effect.runPromise
const realClock = Effect.runSync(Clock.clockWith(Effect.succeed))

const setUp = async (
  options: Partial<PostgresDirectoryOptions> = {},
  otherSchema?: string,
  clock: Clock.Clock = realClock,
) => {
  if (otherSchema === undefined) await emptyDirectory(postgres)
  const schema = otherSchema ?? directorySchema
  const scope = await Effect.runPromise(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const directory = postgresDirectory({ db: postgres, schema, ...secrets, ...options })
  const kit = await Effect.runPromise(Scope.provide(directoryUnderTest(directory), scope))
  return {
    schema,
    admin: kit,
    find: (number: string) =>
      Effect.runPromise(Effect.provideService(kit.directory.find(cnpj(number)), Clock.Clock, clock)),
    endpointsFor: (number: string) => Effect.runPromise(kit.endpoints.forCompany(cnpj(number))),
  }
}

const dump = async (schema: string): Promise<string> => {
  const tables = ["companies", "resellers", "credentials", "endpoints"]
  const rows = await Promise.all(tables.map((table) => postgres.query(`SELECT * FROM ${schema}.${table}`)))
  return JSON.stringify(rows.map((result) => result.rows))
}

const callback = { url: "https://loja.example.com/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }

describe("keys and secrets", () => {
  it("don't appear in a dump of the database", async () => {
    const { admin, schema } = await setUp()
    await run(admin.putReseller({ ...aReseller, callback }))
    await run(admin.putCompany({ ...anIndependent, callback }))
    const key = await run(admin.rotateKey(anIndependent.cnpj))
    const all = await dump(schema)
    expect(all).toContain(callback.url)
    for (const secret of [key, aReseller.integratorKey, callback.secrets[0] ?? "", pepper.secret, sealingKey.secret]) {
      expect(all).not.toContain(secret)
    }
  })

  it("sealed secrets open only for the endpoint for which they were sealed", async () => {
    const { admin, schema, endpointsFor } = await setUp()
    const another = { ...callback, secrets: ["whsec_b3V0cm8gc2VncmVkbyBkYSByZXZlbmRh"] }
    await run(admin.putReseller({ ...aReseller, callback: another }))
    await run(admin.putCompany({ ...anIndependent, callback }))
    await postgres.query(`
      UPDATE ${schema}.endpoints e SET sealed_secrets = o.sealed_secrets
      FROM ${schema}.endpoints o WHERE o.id <> e.id`)
    await expect(endpointsFor(anIndependent.cnpj)).rejects.toMatchObject({ _tag: "DirectoryUnavailable" })
  })

  it("sealed secrets don't open with another sealing key", async () => {
    const { admin, schema } = await setUp()
    await run(admin.putCompany({ ...anIndependent, callback }))
    const other = await setUp({ sealingKey: [{ kid: "s1", secret: "another key of at least 32 bytes!!" }] }, schema)
    await expect(other.endpointsFor(anIndependent.cnpj)).rejects.toMatchObject({ _tag: "DirectoryUnavailable" })
  })

  it("sealed secrets open after a rotation of the sealing key, until the old key is removed", async () => {
    const { admin, schema, endpointsFor } = await setUp()
    await run(admin.putCompany({ ...anIndependent, callback }))
    const before = await endpointsFor(anIndependent.cnpj)
    const newer = { kid: "s2", secret: "the key that seals from now on, and opens" }
    const both = await setUp({ sealingKey: [newer, sealingKey] }, schema)
    expect(await both.endpointsFor(anIndependent.cnpj)).toEqual(before)
    await run(both.admin.putReseller({ ...aReseller, callback }))
    const { rows } = await postgres.query(`SELECT owner, kid FROM ${schema}.endpoints ORDER BY kid`)
    expect(rows).toEqual([
      { owner: anIndependent.cnpj, kid: "s1" },
      { owner: aReseller.cnpj, kid: "s2" },
    ])
    const alone = await setUp({ sealingKey: [newer] }, schema)
    await expect(alone.endpointsFor(anIndependent.cnpj)).rejects.toMatchObject({
      _tag: "DirectoryUnavailable",
      cause: { _tag: "SealingKeyMissing" },
    })
    await run(alone.admin.putCompany({ ...anIndependent, callback }))
    expect(await alone.endpointsFor(anIndependent.cnpj)).toEqual(before)
  })

  it("keys are digested under the newest pepper, and the digest keeps the pepper's id", async () => {
    const { admin, schema } = await setUp()
    await run(admin.putReseller(aReseller))
    const newer = { kid: "p2", secret: "the pepper that takes its place, later" }
    const both = await setUp({ pepper: [newer, pepper] }, schema)
    await run(both.admin.putCompany(anIndependent))
    const { rows } = await postgres.query(`SELECT kid, hmac FROM ${schema}.credentials ORDER BY kid`)
    expect(rows).toEqual([
      await integratorKeyDigest(pepper, aReseller.cnpj, aReseller.integratorKey),
      await integratorKeyDigest(newer, anIndependent.cnpj, anIndependent.integratorKey),
    ])
    await run(both.admin.rotateKey(aReseller.cnpj))
    const after = await postgres.query(`SELECT kid FROM ${schema}.credentials`)
    expect(after.rows).toEqual([{ kid: "p2" }, { kid: "p2" }])
  })

  it("the directory shows another process's change immediately if the cache is off", async () => {
    const { admin, schema, find } = await setUp({ maxAgeMs: 0 })
    await run(admin.putCompany(anIndependent))
    expect((await find(anIndependent.cnpj))?.company.name).toBe(anIndependent.name)
    const other = await setUp({}, schema)
    await run(other.admin.putCompany({ ...anIndependent, name: "Outra Padaria" }))
    expect((await find(anIndependent.cnpj))?.company.name).toBe("Outra Padaria")
  })

  it("a callback requires a sealing key, and a key ring requires long enough secrets", async () => {
    const { sealingKey: _, ...unsealed } = secrets
    const directory = postgresDirectory({ db: postgres, schema: directorySchema, ...unsealed })
    const attempt = Effect.flatMap(directoryUnderTest(directory), (kit) =>
      Effect.flip(kit.putCompany({ ...anIndependent, callback })),
    )
    expect(await run(Effect.scoped(attempt))).toMatchObject({
      field: "callback",
      problem: expect.stringContaining("sealingKey"),
    })
    const short = [{ kid: "2", secret: "x".repeat(31) }] as const
    for (const name of ["pepper", "sealingKey"]) {
      expect(() => postgresDirectory({ db: postgres, ...secrets, [name]: short })).toThrow(
        expect.objectContaining({
          _tag: "InvalidOption",
          message: `postgresDirectory: the secret of ${name} "2" is shorter than 32 bytes.`,
        }),
      )
    }
  })
})

describe("registrations", () => {
  it("invalid registrations are refused as InvalidRegistration, and change nothing", async () => {
    const { admin, schema } = await setUp()
    await run(admin.putReseller(aReseller))
    await run(admin.putCompany(anIndependent))
    const before = await dump(schema)
    const refused = [
      admin.putCompany({ ...aMember, reseller: "11444777000161" }),
      admin.putCompany({ ...aMember, pixKey: anIndependent.pixKey }),
      admin.putCompany({ ...aMember, cnpj: "12345678000190" }),
      admin.putCompany({ ...aMember, graceDays: 0 }),
      admin.putCompany({ ...aMember, integratorKey: "chave própria" }),
      admin.putCompany({ ...aMember, callback: { ...callback, url: "ftp://x" } }),
      admin.putReseller({ ...aReseller, name: " " }),
      admin.rotateKey("11444777000161"),
      admin.rotateKey(anIndependent.cnpj, ""),
      admin.setAssociated("11444777000161", true),
      admin.setWallet("11444777000161", true),
    ]
    for (const attempt of refused) await expect(run(attempt)).rejects.toMatchObject({ _tag: "InvalidRegistration" })
    expect(await dump(schema)).toBe(before)
  })

  it("a registration fails as DirectoryUnavailable with the cause when the database refuses the change", async () => {
    const { admin, schema } = await setUp({}, "of_no_company")
    await postgres.query(`DROP TABLE ${schema}.companies`)
    const failure = await run(Effect.flip(admin.putCompany(anIndependent)))
    expect(failure).toMatchObject({
      _tag: "DirectoryUnavailable",
      operation: "putCompany",
      cause: { sqlState: "42P01" },
    })
  })

  it("registrations that another process changed are read again after the cache's maximum age", async () => {
    let monotonicMs = 0
    const clock: Clock.Clock = Object.assign(Object.create(realClock), {
      monotonicTimeNanosUnsafe: () => BigInt(monotonicMs) * 1_000_000n,
    })
    const here = await setUp()
    const there = await setUp({ maxAgeMs: 5_000 }, here.schema, clock)
    await run(here.admin.putCompany(anIndependent))
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Recife")
    await run(here.admin.putCompany({ ...anIndependent, city: "Olinda" }))
    expect((await here.find(anIndependent.cnpj))?.company.city).toBe("Olinda")
    monotonicMs += 4_999
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Recife")
    monotonicMs += 1
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Olinda")
  })
})

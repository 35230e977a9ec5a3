import { createHmac } from "node:crypto"
import { PGlite } from "@electric-sql/pglite"
import { CallbackEndpoints, CompanyDirectory, type Credential } from "@pixcharge/core"
import {
  type Connection,
  pgliteConnection,
  postgresDirectory,
  type PostgresDirectoryOptions,
} from "@pixcharge/store-postgres"
import { callbackEndpointsSuite, companyDirectorySuite, type MakeDirectory } from "@pixcharge/testkit/suites"
import { cnpj } from "@pixcharge/testkit/fixtures"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "./realPostgres.ts"
import { aMember, anIndependent, aReseller } from "./registrations.ts"

const pglite = await PGlite.create()
afterAll(() => pglite.close())
const postgres = await realPostgres()

const pepper = "a pepper that no database knows!"
const sealingKey = "a key that seals callback secrets"
const secrets = { pepper, sealingKey }

const opens = ({ key }: Credential, integratorKey: string): boolean =>
  key._tag === "Digest" && key.hmac === createHmac("sha256", pepper).update(integratorKey).digest("hex")

let schemas = 0

/** A directory of its own schema for each test. */
const make = (db: Connection): MakeDirectory =>
  Effect.gen(function* () {
    const directory = postgresDirectory({ db, schema: `directory_${schemas++}`, ...secrets })
    const context = yield* Layer.build(directory)
    return {
      directory: Context.get(context, CompanyDirectory),
      endpoints: Context.get(context, CallbackEndpoints),
      putCompany: (company) => Effect.promise(() => directory.putCompany(company)),
      putReseller: (reseller) => Effect.promise(() => directory.putReseller(reseller)),
      rotateKey: (number, key) => Effect.promise(() => directory.rotateKey(number, key)),
      opens,
    }
  })

for (const [name, db] of [
  ["PGlite", pgliteConnection(pglite)],
  ["Postgres", postgres],
] as const) {
  companyDirectorySuite(name, make(db))
  callbackEndpointsSuite(name, make(db))
}

const realClock = Effect.runSync(Clock.clockWith(Effect.succeed))

/** A directory on real Postgres, open until the test ends. */
const opened = async (
  options: Partial<PostgresDirectoryOptions> = {},
  schema = `directory_${schemas++}`,
  clock: Clock.Clock = realClock,
) => {
  const directory = postgresDirectory({ db: postgres, schema, ...secrets, ...options })
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(directory, scope))
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const companies = Context.get(context, CompanyDirectory)
  const endpoints = Context.get(context, CallbackEndpoints)
  return {
    directory,
    schema,
    find: (number: string) =>
      Effect.runPromise(Effect.provideService(companies.find(cnpj(number)), Clock.Clock, clock)),
    endpointsOf: (number: string) => Effect.runPromise(endpoints.of(cnpj(number))),
  }
}

const dump = async (schema: string): Promise<string> => {
  const tables = ["companies", "resellers", "credentials", "endpoints"]
  const rows = await Promise.all(tables.map((table) => postgres.query(`SELECT * FROM ${schema}.${table}`)))
  return JSON.stringify(rows.map((result) => result.rows))
}

const callback = { url: "https://loja.example.com/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }

describe("keys and secrets", () => {
  it("a dump of the database shows no key and no secret", async () => {
    const { directory, schema } = await opened()
    await directory.putReseller({ ...aReseller, callback })
    await directory.putCompany({ ...anIndependent, callback })
    const key = await directory.rotateKey(anIndependent.cnpj)
    const all = await dump(schema)
    expect(all).toContain(callback.url)
    for (const secret of [key, aReseller.integratorKey, callback.secrets[0] ?? "", pepper, sealingKey]) {
      expect(all).not.toContain(secret)
    }
  })

  it("a new key is 32 random bytes unless it is given, and opens the door", async () => {
    const { directory, find } = await opened()
    await directory.putCompany(anIndependent)
    const keys = [await directory.rotateKey(anIndependent.cnpj), await directory.rotateKey(anIndependent.cnpj)]
    expect(keys.map((key) => Buffer.from(key, "base64url").length)).toEqual([32, 32])
    expect(keys[0]).not.toBe(keys[1])
    const entry = await find(anIndependent.cnpj)
    expect(entry?.credential?.version).toBe(3)
    expect(entry?.credential && opens(entry.credential, keys[1] ?? "")).toBe(true)
  })

  it("a revoked key leaves its holder without one, and the next key has the next version", async () => {
    const { directory, find } = await opened()
    await directory.putCompany(anIndependent)
    await directory.revokeKey(anIndependent.cnpj)
    expect((await find(anIndependent.cnpj))?.credential).toBeUndefined()
    await directory.rotateKey(anIndependent.cnpj, anIndependent.integratorKey)
    expect((await find(anIndependent.cnpj))?.credential?.version).toBe(3)
  })

  it("facts that are put again without key and callback leave both as they were", async () => {
    const { directory, find, endpointsOf } = await opened()
    await directory.putCompany({ ...anIndependent, callback })
    const { integratorKey: _, ...facts } = anIndependent
    await directory.putCompany({ ...facts, city: "Olinda" })
    const entry = await find(anIndependent.cnpj)
    expect([entry?.company.city, entry?.credential?.version]).toEqual(["Olinda", 1])
    expect(await endpointsOf(anIndependent.cnpj)).toHaveLength(1)
    await directory.removeCallback(anIndependent.cnpj)
    expect(await endpointsOf(anIndependent.cnpj)).toEqual([])
  })

  it("sealed secrets open at their own endpoint only", async () => {
    const { directory, schema, endpointsOf } = await opened()
    await directory.putReseller({
      ...aReseller,
      callback: { ...callback, secrets: ["whsec_b3V0cm8gc2VncmVkbyBkYSByZXZlbmRh"] },
    })
    await directory.putCompany({ ...anIndependent, callback })
    await postgres.query(`
      UPDATE ${schema}.endpoints e SET sealed_secrets = o.sealed_secrets
      FROM ${schema}.endpoints o WHERE o.id <> e.id`)
    await expect(endpointsOf(anIndependent.cnpj)).rejects.toMatchObject({ _tag: "DirectoryUnavailable" })
  })

  it("sealed secrets don't open with another key", async () => {
    const { directory, schema } = await opened()
    await directory.putCompany({ ...anIndependent, callback })
    const other = await opened({ sealingKey: "another key of at least 32 bytes!!" }, schema)
    await expect(other.endpointsOf(anIndependent.cnpj)).rejects.toMatchObject({ _tag: "DirectoryUnavailable" })
  })

  it("a callback can't be kept without a sealing key, nor anything under a short secret", async () => {
    const { sealingKey: _, ...unsealed } = secrets
    const directory = postgresDirectory({ db: postgres, schema: `directory_${schemas++}`, ...unsealed })
    await expect(directory.putCompany({ ...anIndependent, callback })).rejects.toThrow("sealingKey")
    for (const short of [{ pepper: "x".repeat(31) }, { sealingKey: "short" }]) {
      expect(() => postgresDirectory({ db: postgres, ...secrets, ...short })).toThrow("at least 32 bytes")
    }
  })
})

describe("registrations", () => {
  it("a registration that can't be is refused by name, and nothing of it is kept", async () => {
    const { directory, schema } = await opened()
    await directory.putReseller(aReseller)
    await directory.putCompany(anIndependent)
    const before = await dump(schema)
    const refused = [
      () => directory.putCompany({ ...aMember, reseller: "11444777000161" }),
      () => directory.putCompany({ ...aMember, pixKey: anIndependent.pixKey }),
      () => directory.putCompany({ ...aMember, cnpj: "12345678000190" }),
      () => directory.putCompany({ ...aMember, graceDays: 0 }),
      () => directory.putCompany({ ...aMember, integratorKey: "própria" }),
      () => directory.putCompany({ ...aMember, callback: { ...callback, url: "ftp://x" } }),
      () => directory.putReseller({ ...aReseller, name: " " }),
      () => directory.rotateKey("11444777000161"),
      () => directory.rotateKey(anIndependent.cnpj, ""),
      () => directory.setAssociated("11444777000161", true),
      () => directory.setWallet("11444777000161", true),
    ]
    for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ _tag: "InvalidRegistration" })
    expect(await dump(schema)).toBe(before)
  })

  it("a wallet and an association are switched by themselves", async () => {
    const { directory, find } = await opened()
    await directory.putReseller(aReseller)
    await directory.putCompany(aMember)
    await directory.setAssociated(aMember.cnpj, false)
    expect((await find(aMember.cnpj))?.company.reseller?.associated).toBe(false)
    await directory.setAssociated(aMember.cnpj, true)
    await directory.setWallet(aReseller.cnpj, false)
    await directory.setWallet(aMember.cnpj, false)
    const entry = await find(aMember.cnpj)
    expect([entry?.company.walletActive, entry?.company.reseller?.walletActive]).toEqual([false, false])
  })

  it("a change made by another process is seen within the directory's age, and not before it is read again", async () => {
    let steadyMs = 0
    const clock: Clock.Clock = Object.assign(Object.create(realClock), {
      monotonicTimeNanosUnsafe: () => BigInt(steadyMs) * 1_000_000n,
    })
    const here = await opened()
    const there = await opened({ maxAgeMs: 5_000 }, here.schema, clock)
    await here.directory.putCompany(anIndependent)
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Recife")
    await here.directory.putCompany({ ...anIndependent, city: "Olinda" })
    expect((await here.find(anIndependent.cnpj))?.company.city).toBe("Olinda")
    steadyMs += 4_999
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Recife")
    steadyMs += 1
    expect((await there.find(anIndependent.cnpj))?.company.city).toBe("Olinda")
  })

  it("what is registered before the service runs finds its tables", async () => {
    const directory = postgresDirectory({ db: postgres, schema: `directory_${schemas++}`, ...secrets })
    await Promise.all([directory.putReseller(aReseller), directory.putCompany(anIndependent)])
    await expect(directory.rotateKey(anIndependent.cnpj, "outra")).resolves.toBe("outra")
  })
})

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { DirectoryAdmin } from "@pixcharge/core"
import { integratorKeyDigest } from "@pixcharge/http"
import { postgresDirectory } from "@pixcharge/store-postgres"
import { cnpj } from "@pixcharge/testkit/fixtures"
import { aMember, anIndependent, aReseller, directoryUnderTest } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { expect, inject, it } from "vitest"
import { realPostgres } from "./realPostgres.ts"

const pool = await realPostgres()
const url = `${inject("postgresUrl")}/${new URL(pool.options.connectionString ?? "").pathname.slice(1)}`
const newest = { kid: "p2", secret: "the newest pepper: 32 bytes or more" }
const older = { kid: "p1", secret: "the older pepper, 32 bytes or more" }

/** The built command, as an operator runs it. */
const keys = (args: ReadonlyArray<string>, pepper = `${newest.kid}:${newest.secret}`) =>
  promisify(execFile)(process.execPath, ["dist/bin/pixcharge-postgres.js", "keys", ...args, "--schema", "keys"], {
    cwd: `${import.meta.dirname}/..`,
    env: { ...process.env, DATABASE_URL: url, PIXCHARGE_PEPPER: pepper },
  })

/** Uses a directory of the schema as a host does that was just started. */
const withDirectory = <A>(
  use: (
    kit: Effect.Success<ReturnType<typeof directoryUnderTest>> & DirectoryAdmin["Service"],
  ) => Effect.Effect<A, unknown>,
): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(directoryUnderTest(postgresDirectory({ db: pool, schema: "keys", pepper: [newest, older] })), use),
    ),
  )

const credentialOf = (holder: string) =>
  withDirectory(({ directory }) => Effect.map(directory.find(cnpj(holder)), (entry) => entry?.credential))

const digestOf = (holder: string, key: string) => ({
  holder,
  key: { _tag: "Digest", ...integratorKeyDigest(newest, holder, key) },
})

it("an operator makes, replaces and takes away a key; a new one is printed alone, once", async () => {
  const { integratorKey: _, ...keyless } = anIndependent
  await withDirectory((kit) =>
    Effect.all([kit.putReseller(aReseller), kit.putCompany(aMember), kit.putCompany(keyless)], { discard: true }),
  )
  const { cnpj: holder } = anIndependent
  await expect(keys(["rotate", holder])).rejects.toMatchObject({ code: 1, stderr: `${holder} has no key\n` })
  const made = (await keys(["make", "11.222.333/0001-81"])).stdout
  expect(made).toMatch(/^pixk_[\w-]{43}[0-9A-F]{4}\n$/)
  expect(await credentialOf(holder)).toEqual(digestOf(holder, made.trim()))
  await expect(keys(["make", holder])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("has a key") })
  expect(await credentialOf(holder)).toEqual(digestOf(holder, made.trim()))
  const rotated = (await keys(["rotate", holder])).stdout
  expect(rotated).not.toBe(made)
  expect(await credentialOf(holder)).toEqual(digestOf(holder, rotated.trim()))
  expect((await keys(["revoke", holder], "")).stdout).toBe(`revoked: ${holder}\n`)
  expect(await credentialOf(holder)).toBeUndefined()
  const { rows } = await pool.query("SELECT kind, actor FROM keys.audit_log WHERE issuer = $1 ORDER BY id", [holder])
  const byCommand = ["keySet", "keyReplaced", "keyRevoked"].map((kind) => ({ kind, actor: "pixcharge-postgres keys" }))
  expect(rows).toEqual([{ kind: "companyRegistered", actor: null }, ...byCommand])
  await expect(keys(["revoke", holder])).rejects.toMatchObject({ code: 1, stderr: `${holder} has no key\n` })
})

it("a reseller's key is replaced for its companies, which have none of their own", async () => {
  await withDirectory((kit) => Effect.all([kit.putReseller(aReseller), kit.putCompany(aMember)], { discard: true }))
  const rotated = (await keys(["rotate", aReseller.cnpj])).stdout.trim()
  expect(await credentialOf(aMember.cnpj)).toEqual(digestOf(aReseller.cnpj, rotated))
  await expect(keys(["make", aMember.cnpj])).rejects.toMatchObject({
    stderr: expect.stringContaining("a company of a reseller uses the reseller's key"),
  })
  await expect(keys(["make", "11444777000161"])).rejects.toMatchObject({
    stderr: expect.stringContaining("is not registered"),
  })
})

it.each([
  ["", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>\n"],
  ["a secret of more than thirty-two bytes", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>\n"],
  ["p2:short", 'the secret of PIXCHARGE_PEPPER "p2" is shorter than 32 bytes\n'],
])("with %j as its pepper no key is made", async (pepper, stderr) => {
  await expect(keys(["make", anIndependent.cnpj], pepper)).rejects.toMatchObject({ code: 1, stderr })
})

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { DirectoryAdmin } from "@pixcharge/core"
import { integratorKeyDigest } from "@pixcharge/core/directory"
import { postgresDirectory } from "@pixcharge/store-postgres"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { aMember, anIndependent, aReseller, directoryUnderTest } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect, inject, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { runCommand } from "../src/upkeep/runCommand.ts"

const pool = await realPostgres()
const url = `${inject("postgresUrl")}/${new URL(pool.options.connectionString ?? "").pathname.slice(1)}`
const newest = { kid: "p2", secret: "the newest pepper: 32 bytes or more" }
const older = { kid: "p1", secret: "the older pepper, 32 bytes or more" }

const environment = (pepper = `${newest.kid}:${newest.secret}`) => ({ DATABASE_URL: url, PIXCHARGE_PEPPER: pepper })

const keys = (args: ReadonlyArray<string>, pepper?: string) =>
  runCommand(["keys", ...args, "--schema", "keys"], environment(pepper))

/** Runs `use` with the directory of a host that has just started. */
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

const readCredential = (holder: string) =>
  withDirectory(({ directory }) => Effect.map(directory.find(cnpj(holder)), (entry) => entry?.credential))

const digestKey = async (holder: string, key: string) => ({
  holder,
  key: { _tag: "Digest", ...(await integratorKeyDigest(newest, holder, key)) },
  registration: expect.any(String),
})

it("makes, rotates and revokes a key, and prints only a new key", async () => {
  const { integratorKey: _, ...keyless } = anIndependent
  await withDirectory((kit) =>
    Effect.all([kit.putReseller(aReseller), kit.putCompany(aMember), kit.putCompany(keyless)], { discard: true }),
  )
  const { cnpj: holder } = anIndependent
  for (const action of ["rotate", "revoke"]) {
    await expect(keys([action, holder])).rejects.toThrow(new Error(`${holder} has no key`))
  }
  const made = await keys(["make", "11.222.333/0001-81"])
  expect(made).toMatch(/^pixk_[\w-]{43}[0-9A-F]{4}$/)
  expect(await readCredential(holder)).toEqual(await digestKey(holder, made))
  const hasKey = new Error(`${holder} has a key: rotate it, which ends its tokens`)
  await expect(keys(["make", holder])).rejects.toThrow(hasKey)
  expect(await readCredential(holder)).toEqual(await digestKey(holder, made))
  const rotated = await keys(["rotate", holder])
  expect(rotated).not.toBe(made)
  expect(await readCredential(holder)).toEqual(await digestKey(holder, rotated))
  expect(await keys(["revoke", holder], "")).toBe(`revoked: ${holder}`)
  expect(await readCredential(holder)).toBeUndefined()
  const { rows } = await pool.query("SELECT kind, actor FROM keys.audit_log WHERE issuer = $1 ORDER BY id", [holder])
  const byCommand = ["keySet", "keyReplaced", "keyRevoked"].map((kind) => ({ kind, actor: "pixcharge-postgres keys" }))
  expect(rows).toEqual([{ kind: "companyRegistered", actor: null }, ...byCommand])
  await expect(keys(["revoke", holder])).rejects.toThrow(new Error(`${holder} has no key`))
})

it("the built command prints only the key, or fails with only the reason", async () => {
  const built = (...args: ReadonlyArray<string>) =>
    promisify(execFile)(process.execPath, ["dist/bin/pixcharge-postgres.js", "keys", ...args, "--schema", "keys"], {
      cwd: `${import.meta.dirname}/..`,
      env: { ...process.env, ...environment() },
    })
  await withDirectory((kit) => kit.putReseller(aReseller))
  const { stdout, stderr } = await built("rotate", aReseller.cnpj)
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^pixk_[\w-]{47}\n$/), ""])
  await expect(built("make", aReseller.cnpj)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: `${aReseller.cnpj} has a key: rotate it, which ends its tokens\n`,
  })
})

it("shows the database's message when the database refuses a change", async () => {
  await withDirectory((kit) => kit.putReseller(aReseller))
  await pool.query("ALTER TABLE keys.audit_log ADD CONSTRAINT frozen CHECK (kind <> 'keyRevoked') NOT VALID")
  await expect(keys(["revoke", aReseller.cnpj])).rejects.toMatchObject({ _tag: "SqlFailure", sqlState: "23514" })
  await pool.query("ALTER TABLE keys.audit_log DROP CONSTRAINT frozen")
})

it("rotates a reseller's key for its companies", async () => {
  await withDirectory((kit) => Effect.all([kit.putReseller(aReseller), kit.putCompany(aMember)], { discard: true }))
  const rotated = await keys(["rotate", aReseller.cnpj])
  expect(await readCredential(aMember.cnpj)).toEqual(await digestKey(aReseller.cnpj, rotated))
  await expect(keys(["make", aMember.cnpj])).rejects.toThrow("a company of a reseller uses the reseller's key")
  await expect(keys(["make", "11444777000161"])).rejects.toThrow("is not registered")
})

it.each([
  ["", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>"],
  ["a secret of more than thirty-two bytes", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>"],
  [":a secret of more than thirty-two bytes", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>"],
  ["p2:", "set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>"],
  ["p2:short", 'the secret of PIXCHARGE_PEPPER "p2" is shorter than 32 bytes'],
])("makes no key with the pepper %j", async (pepper, message) => {
  await expect(keys(["make", anIndependent.cnpj], pepper)).rejects.toThrow(new Error(message))
})

it("makes no key without a pepper", async () => {
  const making = runCommand(["keys", "make", anIndependent.cnpj, "--schema", "keys"], { DATABASE_URL: url })
  await expect(making).rejects.toThrow("set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>")
})

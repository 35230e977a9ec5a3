import type { CompanyInput } from "@pixcharge/core/directory"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { cnpj } from "../../fixtures/Companies.ts"
import {
  aMember,
  aNewKey,
  anIndependent,
  aReseller,
  type DirectoryAdminUnderTest,
  type DirectoryTest,
  directoryTests,
  type MakeDirectory,
} from "./DirectoryDriver.ts"

type AdminTest = DirectoryTest<DirectoryAdminUnderTest>
type Kit = Parameters<Parameters<AdminTest>[1]>[0]

const callback = {
  url: "https://loja.example.com/pix",
  secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="],
} as const
const unknownCnpj = "11444777000161"

const findCompany = (kit: Kit, company: { readonly cnpj: string }) =>
  Effect.flatMap(kit.directory.find(cnpj(company.cnpj)), (entry) =>
    entry === undefined ? Effect.die(new Error(`expected a company ${company.cnpj}`)) : Effect.succeed(entry),
  )

const findCredential = (kit: Kit, company: { readonly cnpj: string }) =>
  Effect.map(findCompany(kit, company), ({ credential }) => credential)

const opens = (kit: Kit, company: { readonly cnpj: string }, ...keys: ReadonlyArray<string>) =>
  Effect.forEach(keys, (key) =>
    Effect.map(kit.directory.verifyKey(cnpj(company.cnpj), key), (credential) => credential !== undefined),
  )

const endpointsFor = (kit: Kit, company: { readonly cnpj: string }) => kit.endpoints.forCompany(cnpj(company.cnpj))

/** All readable facts of a reseller, its company, and a company without a reseller. */
const everything = (kit: Kit) =>
  Effect.forEach([aReseller, aMember, anIndependent], (holder) =>
    Effect.all([kit.directory.find(cnpj(holder.cnpj)), endpointsFor(kit, holder)]),
  )

const registerAll = (kit: Kit) =>
  Effect.gen(function* () {
    yield* kit.putReseller({ ...aReseller, callback })
    yield* kit.putCompany(aMember)
    yield* kit.putCompany({ ...anIndependent, callback })
  })

const keyCases = (test: AdminTest): void => {
  test("generates a key of 32 random bytes if none is given, in a form that secret scanners find", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      const keys = [yield* kit.rotateKey(anIndependent.cnpj), yield* kit.rotateKey(anIndependent.cnpj)]
      for (const key of keys) expect(key).toMatch(/^pixk_[A-Za-z0-9_-]{43}[0-9A-F]{4}$/)
      expect(keys[0]).not.toBe(keys[1])
      expect(yield* opens(kit, anIndependent, ...keys)).toEqual([false, true])
    }))

  test("returns a given key unchanged, and replaces it when a new registration has a different key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      expect(yield* kit.rotateKey(aReseller.cnpj, aNewKey)).toBe(aNewKey)
      yield* kit.putReseller({ ...aReseller, integratorKey: "uma mais nova" })
      const credential = yield* findCredential(kit, aMember)
      expect(credential?.holder).toBe(aReseller.cnpj)
      expect(yield* opens(kit, aMember, "uma mais nova", aNewKey)).toEqual([true, false])
    }))

  test("leaves the holder of a revoked key without a key until it gets a new key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      yield* kit.revokeKey(anIndependent.cnpj)
      yield* kit.revokeKey(anIndependent.cnpj)
      expect(yield* findCredential(kit, anIndependent)).toBeUndefined()
      yield* kit.rotateKey(anIndependent.cnpj, aNewKey)
      expect(yield* opens(kit, anIndependent, aNewKey)).toEqual([true])
    }))

  test("leaves a reseller's companies without a key when the reseller's key is revoked", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.revokeKey(aReseller.cnpj)
      expect(yield* findCredential(kit, aMember)).toBeUndefined()
    }))

  test("replaces the key of a company that becomes a reseller", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      yield* kit.putReseller({ ...aReseller, cnpj: anIndependent.cnpj })
      const credential = yield* findCredential(kit, anIndependent)
      expect(credential?.holder).toBe(anIndependent.cnpj)
      expect(yield* opens(kit, anIndependent, aReseller.integratorKey)).toEqual([true])
      yield* kit.rotateKey(anIndependent.cnpj, aNewKey)
      expect(yield* opens(kit, anIndependent, aNewKey)).toEqual([true])
    }))
}

const factCases = (test: AdminTest): void => {
  test("keeps key and callback if a repeated registration omits them", (kit) =>
    Effect.gen(function* () {
      yield* registerAll(kit)
      const before = yield* endpointsFor(kit, anIndependent)
      const keys = [yield* findCredential(kit, anIndependent), yield* findCredential(kit, aMember)]
      const { integratorKey: _, ...facts } = anIndependent
      const { integratorKey: __, ...resellersFacts } = aReseller
      yield* kit.putCompany({ ...facts, city: "Olinda" })
      yield* kit.putReseller({ ...resellersFacts, name: "Revenda Nova" })
      const { company, credential } = yield* findCompany(kit, anIndependent)
      expect([company.city, credential]).toEqual(["Olinda", keys[0]])
      expect(yield* endpointsFor(kit, anIndependent)).toEqual(before)
      const member = yield* findCompany(kit, aMember)
      expect([member.company.reseller?.name, member.credential]).toEqual(["Revenda Nova", keys[1]])
      expect(yield* endpointsFor(kit, aMember)).toHaveLength(1)
    }))

  test("lets a company leave its reseller, which leaves the company without a key until it gets one", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      const { reseller: _, ...alone } = aMember
      yield* kit.putCompany(alone)
      const { company, credential } = yield* findCompany(kit, aMember)
      expect([company.reseller, credential]).toEqual([undefined, undefined])
      expect(yield* endpointsFor(kit, aMember)).toEqual([])
      yield* kit.rotateKey(aMember.cnpj, "chave própria")
      expect((yield* findCredential(kit, aMember))?.holder).toBe(aMember.cnpj)
    }))

  test("ends and renews an association, with the reseller's key and callback", (kit) =>
    Effect.gen(function* () {
      yield* registerAll(kit)
      for (const associated of [false, true]) {
        yield* kit.setAssociated(aMember.cnpj, associated)
        const { company, credential } = yield* findCompany(kit, aMember)
        expect([company.reseller?.associated, credential?.holder]).toEqual([
          associated,
          associated ? aReseller.cnpj : undefined,
        ])
        expect(yield* endpointsFor(kit, aMember)).toHaveLength(associated ? 1 : 0)
      }
    }))

  test("activates and deactivates the wallet of the reseller or company with the CNPJ, or of both", (kit) =>
    Effect.gen(function* () {
      const wallets = Effect.gen(function* () {
        const member = (yield* findCompany(kit, aMember)).company
        const itself = (yield* findCompany(kit, aReseller)).company
        return [member.walletActive, member.reseller?.walletActive, itself.walletActive]
      })
      const { reseller: _, ...itself } = { ...aMember, cnpj: aReseller.cnpj, pixKey: aReseller.cnpj }
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(itself)
      yield* kit.setWallet(aMember.cnpj, false)
      expect(yield* wallets).toEqual([false, true, true])
      yield* kit.setWallet(aReseller.cnpj, false)
      expect(yield* wallets).toEqual([false, false, false])
      yield* kit.setWallet(aMember.cnpj, true)
      yield* kit.setWallet(aReseller.cnpj, true)
      expect(yield* wallets).toEqual([true, true, true])
    }))

  test("sends no more events to a removed callback, and enables it again when it returns", (kit) =>
    Effect.gen(function* () {
      yield* registerAll(kit)
      yield* kit.removeCallback(unknownCnpj)
      for (const [owner, company] of [
        [aReseller, aMember],
        [anIndependent, anIndependent],
      ] as const) {
        const [endpoint] = yield* endpointsFor(kit, company)
        yield* kit.endpoints.setStatus(endpoint?.id ?? "", "paused")
        yield* kit.removeCallback(owner.cnpj)
        yield* kit.removeCallback(owner.cnpj)
        expect(yield* endpointsFor(kit, company)).toEqual([])
        expect(yield* kit.endpoints.find(endpoint?.id ?? "")).toBeUndefined()
        if (owner === aReseller) yield* kit.putReseller({ ...aReseller, callback })
        else yield* kit.putCompany({ ...anIndependent, callback })
        expect((yield* endpointsFor(kit, company)).map(({ id, status }) => [id, status])).toEqual([
          [endpoint?.id, "enabled"],
        ])
      }
    }))

  test("accepts CNPJs with punctuation", (kit) =>
    Effect.gen(function* () {
      const [reseller, member] = ["00.000.000/0001-91", "12.345.678/0001-95"]
      yield* kit.putReseller({ ...aReseller, cnpj: reseller, callback })
      yield* kit.putCompany({ ...aMember, cnpj: member, reseller })
      yield* kit.rotateKey(reseller, aNewKey)
      const rotated = yield* findCredential(kit, aMember)
      expect(rotated?.holder).toBe(aReseller.cnpj)
      expect(yield* opens(kit, aMember, aNewKey)).toEqual([true])
      yield* kit.revokeKey(reseller)
      yield* kit.setWallet(member, false)
      yield* kit.removeCallback(reseller)
      expect(yield* endpointsFor(kit, aMember)).toEqual([])
      yield* kit.setAssociated(member, false)
      const { company, credential } = yield* findCompany(kit, aMember)
      expect([company.walletActive, company.reseller?.associated, credential]).toEqual([false, false, undefined])
    }))
}

const refusedCalls = (kit: Kit): ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]> => {
  const { integratorKey: _, reseller: __, ...itself } = { ...anIndependent, ...aMember, cnpj: aReseller.cnpj }
  const member = (change: Partial<CompanyInput>) => kit.putCompany({ ...aMember, ...change })
  return [
    ["reseller", member({ reseller: unknownCnpj })],
    ["pixKey", member({ pixKey: anIndependent.pixKey })],
    ["pixKey", member({ pixKey: "não é chave" })],
    ["cnpj", member({ cnpj: "12345678000190" })],
    ["graceDays", member({ graceDays: 0 })],
    ["integratorKey", member({ integratorKey: aNewKey })],
    ["integratorKey", kit.putCompany({ ...anIndependent, integratorKey: "" })],
    ["integratorKey", kit.putCompany({ ...anIndependent, integratorKey: "onze letras" })],
    ["integratorKey", kit.putCompany({ ...itself, integratorKey: aNewKey })],
    ["callback", kit.putCompany({ ...itself, callback })],
    ["callback.url", member({ callback: { ...callback, url: "ftp://x" } })],
    ["callback.secrets", kit.putReseller({ ...aReseller, callback: { ...callback, secrets: [] } })],
    ["name", kit.putReseller({ ...aReseller, name: " " })],
    ["cnpj", kit.putReseller({ ...aReseller, cnpj: "00000000000190" })],
    ["integratorKey", kit.putReseller({ ...aReseller, integratorKey: "onze letras" })],
    ["cnpj", kit.rotateKey(unknownCnpj)],
    ["integratorKey", kit.rotateKey(anIndependent.cnpj, "onze letras")],
    ["integratorKey", kit.rotateKey(aMember.cnpj, aNewKey)],
    ["cnpj", kit.revokeKey(unknownCnpj)],
    ["cnpj", kit.setAssociated(unknownCnpj, true)],
    ["cnpj", kit.setAssociated(aReseller.cnpj, true)],
    ["cnpj", kit.setWallet(unknownCnpj, true)],
  ]
}

const refusalCases = (test: AdminTest): void => {
  test("refuses an invalid registration without a change, and names its CNPJ and field", (kit) =>
    Effect.gen(function* () {
      yield* registerAll(kit)
      const before = yield* everything(kit)
      for (const [field, attempt] of refusedCalls(kit)) {
        const failure = yield* Effect.flip(attempt)
        expect(failure).toMatchObject({
          _tag: "InvalidRegistration",
          field,
          message: expect.stringContaining(`can't be used: ${field} `),
        })
        expect(yield* everything(kit)).toEqual(before)
      }
    }))
}

/** Tests of a directory's `DirectoryAdmin`. */
export const directoryAdminSuite = (name: string, make: MakeDirectory<DirectoryAdminUnderTest>): void => {
  describe(`${name}: DirectoryAdmin`, () => {
    const test = directoryTests(make)
    describe("keys", () => keyCases(test))
    describe("facts", () => factCases(test))
    describe("refusals", () => refusalCases(test))
  })
}

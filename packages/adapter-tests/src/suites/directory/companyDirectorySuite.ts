import { inspect } from "node:util"
import type { CompanyFacts, DirectoryEntry } from "@pixcharge/core/directory"
import { parseFees } from "@pixcharge/core/money"
import { type Cnpj, missingPrerequisites } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { cnpj } from "../../fixtures/Companies.ts"
import {
  aMember,
  aNewKey,
  anIndependent,
  aReseller,
  type DirectoryTest,
  directoryTests,
  type DirectoryUnderTest,
  type MakeDirectory,
} from "./DirectoryDriver.ts"

const findCompany = ({ directory }: DirectoryUnderTest, { cnpj: number }: { readonly cnpj: string }) =>
  Effect.flatMap(directory.find(cnpj(number)), (entry) =>
    entry === undefined ? Effect.die(new Error(`expected a company ${number}`)) : Effect.succeed(entry),
  )

const opens = ({ directory }: DirectoryUnderTest, company: { readonly cnpj: string }, integratorKey: string) =>
  Effect.map(directory.verifyKey(cnpj(company.cnpj), integratorKey), (credential) => credential !== undefined)

const missing = ({ company }: DirectoryEntry) => missingPrerequisites(company)

/** Spellings of Pix keys. Each row has one key, and the DICT's spelling comes second. */
const pixKeyWritings = [
  ["Nova@Example.COM", "nova@example.com", " nova@example.com"],
  ["123E4567-E89B-12D3-A456-426655440077", "123e4567-e89b-12d3-a456-426655440077", "123e4567e89b12d3a456426655440077"],
  ["5581987654321", "+5581987654321", "+55 (81) 98765-4321"],
  ["558132345678", "+558132345678"],
  ["+1 (202) 555-0123", "+12025550123"],
  ["529.982.247-25", "52998224725"],
  ["12.abc.345/01de-35", "12ABC34501DE35", "12abc34501de35"],
] as const

const factCases = (test: DirectoryTest): void => {
  test("finds a registered company by CNPJ and PIX key, with wallet and domicile by default", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      const entry = yield* findCompany(kit, anIndependent)
      const { integratorKey: _, ...facts } = anIndependent
      expect(entry.company).toEqual({ ...facts, walletActive: true, ownBankDomicile: true })
      expect(yield* kit.directory.byPixKey(anIndependent.pixKey)).toEqual(entry)
    }))

  test("treats all spellings of a PIX key as one key of one company", (kit) =>
    Effect.gen(function* () {
      for (const [written, ...others] of pixKeyWritings) {
        yield* kit.putCompany({ ...anIndependent, pixKey: written })
        for (const other of [written, ...others]) {
          expect([other, (yield* kit.directory.byPixKey(other))?.company.pixKey]).toEqual([other, others[0]])
        }
      }
    }))

  test("finds no company under an unknown CNPJ or key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      expect(yield* kit.directory.find(cnpj("12ABC34501DE35"))).toBeUndefined()
      expect(yield* opens(kit, { cnpj: "12ABC34501DE35" }, anIndependent.integratorKey)).toBe(false)
      expect(yield* kit.directory.find("' OR 1=1 --" as Cnpj)).toBeUndefined()
      for (const key of ["outra@example.com", anIndependent.cnpj, "", "%"]) {
        expect(yield* kit.directory.byPixKey(key)).toBeUndefined()
      }
    }))

  test("returns every fact of a registration that replaced an earlier registration", (kit) =>
    Effect.gen(function* () {
      const fees = {
        fine: { kind: "percent", basisPoints: 200 },
        interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
        discount: {
          kind: "fixedUntil",
          tiers: [
            { daysBefore: 10, amountCents: 500 },
            { daysBefore: 5, amountCents: 250 },
          ],
        },
      } as const
      const genericPayer = { name: 'Consumidor d\'Água "Final" \\ 🦜', taxId: "52998224725" }
      const localHolidays = ["2026-01-25", "2026-07-09"]
      yield* kit.putReseller({ ...aReseller, walletActive: false })
      const facts: Required<CompanyFacts> = {
        ...aMember,
        cnpj: "12ABC34501DE35",
        fees,
        genericPayer,
        localHolidays,
        walletActive: false,
        ownBankDomicile: false,
      }
      const before = { name: "Antes", city: "Olinda", pixKey: "antes@example.com", graceDays: 9 }
      yield* kit.putCompany({ ...aMember, ...before, cnpj: facts.cnpj })
      yield* kit.putCompany({ ...aMember, ...facts })
      const { company } = yield* findCompany(kit, { cnpj: "12ABC34501DE35" })
      expect(company).toEqual({
        ...facts,
        fees: Result.getOrThrow(parseFees(fees)),
        reseller: { cnpj: aReseller.cnpj, name: aReseller.name, walletActive: false, associated: true },
      })
      expect(missing({ company }).toSorted()).toEqual(["companyWallet", "ownBankDomicile", "resellerWallet"])
    }))

  test("shows a changed registration, and finds no company by its old PIX key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      yield* findCompany(kit, anIndependent)
      yield* kit.putCompany({ ...anIndependent, pixKey: "nova@example.com", walletActive: false, graceDays: 9 })
      const entry = yield* findCompany(kit, anIndependent)
      expect([entry.company.graceDays, ...missing(entry)]).toEqual([9, "companyWallet"])
      expect(yield* kit.directory.byPixKey(anIndependent.pixKey)).toBeUndefined()
      expect(yield* kit.directory.byPixKey("nova@example.com")).toEqual(entry)
    }))

  test("requires an active wallet of the reseller from each of its companies", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(anIndependent)
      expect(missing(yield* findCompany(kit, aMember))).toEqual([])
      yield* kit.putReseller({ ...aReseller, walletActive: false })
      expect(missing(yield* findCompany(kit, aMember))).toEqual(["resellerWallet"])
      expect(missing(yield* findCompany(kit, anIndependent))).toEqual([])
    }))
}

const keyCases = (test: DirectoryTest): void => {
  test("authenticates a company without a reseller by its own key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      const { credential } = yield* findCompany(kit, anIndependent)
      expect(credential?.holder).toBe(anIndependent.cnpj)
      const verified = yield* kit.directory.verifyKey(cnpj(anIndependent.cnpj), anIndependent.integratorKey)
      expect(verified).toEqual(credential)
      for (const wrong of [aReseller.integratorKey, "", anIndependent.integratorKey.toUpperCase()]) {
        expect(yield* opens(kit, anIndependent, wrong)).toBe(false)
      }
    }))

  test("finds a company without a key, and doesn't authenticate it", (kit) =>
    Effect.gen(function* () {
      const { integratorKey: _, ...keyless } = anIndependent
      yield* kit.putCompany(keyless)
      const entry = yield* findCompany(kit, keyless)
      expect([missing(entry), entry.credential]).toEqual([[], undefined])
    }))

  test("authenticates a reseller's company by the reseller's key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      const { credential } = yield* findCompany(kit, aMember)
      expect(credential?.holder).toBe(aReseller.cnpj)
      expect(yield* opens(kit, aMember, aReseller.integratorKey)).toBe(true)
    }))

  test("finds a company after its association has ended, and refuses the reseller's key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany({ ...aMember, associated: false })
      const entry = yield* findCompany(kit, aMember)
      expect([missing(entry), entry.credential]).toEqual([["association"], undefined])
      yield* kit.putCompany({ ...aMember, associated: true })
      expect((yield* findCompany(kit, aMember)).credential?.holder).toBe(aReseller.cnpj)
    }))

  test("authenticates a reseller that issues for itself by its own key, even if its company names no reseller", (kit) =>
    Effect.gen(function* () {
      const { reseller: _, ...itself } = { ...aMember, cnpj: aReseller.cnpj, pixKey: aReseller.cnpj }
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(itself)
      const entry = yield* findCompany(kit, aReseller)
      expect(missing(entry)).toEqual([])
      expect(entry.credential?.holder).toBe(aReseller.cnpj)
      expect(yield* opens(kit, aReseller, aReseller.integratorKey)).toBe(true)
      yield* kit.putReseller({ ...aReseller, walletActive: false })
      expect(missing(yield* findCompany(kit, aReseller))).toEqual(["resellerWallet"])
    }))

  test("makes a company that becomes a reseller its own reseller, too", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany({ ...anIndependent, cnpj: aReseller.cnpj })
      yield* kit.putReseller({ ...aReseller, walletActive: false })
      const entry = yield* findCompany(kit, aReseller)
      expect(missing(entry)).toEqual(["resellerWallet"])
      expect(yield* opens(kit, aReseller, aReseller.integratorKey)).toBe(true)
    }))

  test("authenticates a company by its new key, and not by the old key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      yield* kit.rotateKey(anIndependent.cnpj, aNewKey)
      const { credential } = yield* findCompany(kit, anIndependent)
      expect(credential?.holder).toBe(anIndependent.cnpj)
      expect(yield* opens(kit, anIndependent, aNewKey)).toBe(true)
      expect(yield* opens(kit, anIndependent, anIndependent.integratorKey)).toBe(false)
    }))

  test("makes a reseller's new key the key of all its companies, and of no other company", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(anIndependent)
      yield* kit.rotateKey(aReseller.cnpj, aNewKey)
      const { credential } = yield* findCompany(kit, aMember)
      expect(credential?.holder).toBe(aReseller.cnpj)
      expect(yield* opens(kit, aMember, aNewKey)).toBe(true)
      expect(yield* opens(kit, anIndependent, anIndependent.integratorKey)).toBe(true)
    }))

  test("keeps the key when other facts change", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      yield* kit.rotateKey(anIndependent.cnpj, aNewKey)
      const before = (yield* findCompany(kit, anIndependent)).credential
      yield* kit.putCompany({ ...anIndependent, integratorKey: aNewKey, walletActive: false })
      const { credential } = yield* findCompany(kit, anIndependent)
      expect(credential).toEqual(before)
      expect(yield* opens(kit, anIndependent, aNewKey)).toBe(true)
    }))

  test("treats a key that is registered again, after a revocation or another key, as a new credential", (kit) =>
    Effect.gen(function* () {
      const findCredential = (company: { readonly cnpj: string }) =>
        Effect.map(findCompany(kit, company), ({ credential }) => credential)
      for (const holder of [anIndependent, aReseller]) {
        yield* kit.putReseller(aReseller)
        yield* kit.putCompany(aMember)
        yield* kit.putCompany(anIndependent)
        const company = holder === aReseller ? aMember : holder
        const register = kit.rotateKey(holder.cnpj, holder.integratorKey)
        const seen = [yield* findCredential(company)]
        for (const before of [kit.revokeKey(holder.cnpj), kit.rotateKey(holder.cnpj, aNewKey)]) {
          yield* before
          yield* register
          const again = yield* findCredential(company)
          expect(again).toBeDefined()
          for (const earlier of seen) expect(again).not.toEqual(earlier)
          seen.push(again)
          yield* register
          expect(yield* findCredential(company)).toEqual(again)
        }
      }
    }))

  test("hides keys when an entry is printed", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      const entry = yield* findCompany(kit, anIndependent)
      const printed = [JSON.stringify(entry), inspect(entry, { depth: 9 }), String(entry)].join()
      expect(printed).not.toContain(anIndependent.integratorKey)
    }))
}

/** Tests of a directory's `CompanyDirectory`. */
export const companyDirectorySuite = (name: string, make: MakeDirectory): void => {
  describe(`${name}: CompanyDirectory`, () => {
    const test = directoryTests(make)
    describe("facts", () => factCases(test))
    describe("keys", () => keyCases(test))
  })
}

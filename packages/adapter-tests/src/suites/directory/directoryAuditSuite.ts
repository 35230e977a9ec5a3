import { Actor, AuditLog, type CallbackEndpoints, type CompanyDirectory, type DirectoryAdmin } from "@pixcharge/core"
import { callbackId } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
  directoryUnderTest,
} from "./DirectoryDriver.ts"

/** A directory and the audit log of its changes. */
type AuditedPorts = CompanyDirectory | CallbackEndpoints | DirectoryAdmin | AuditLog

interface AuditedDirectory extends DirectoryAdminUnderTest {
  readonly log: AuditLog["Service"]
}
type AuditTest = DirectoryTest<AuditedDirectory>

interface Holder {
  readonly cnpj: string
}

const callback = {
  url: "https://user:password@loja.example.com:8443/pix?token=t",
  secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="],
} as const
const otherCallback = { ...callback, url: "http://outra.example.com" } as const
const host = "loja.example.com:8443"

const as = (actor: string) => Effect.provideService(Actor, actor)

const everything = ({ log }: AuditedDirectory, holder: Holder) =>
  Effect.map(log.list(cnpj(holder.cnpj), {}, { limit: 1_000 }), ({ items }) => items)

const text = (value: unknown): string => JSON.stringify(value)

/** Returns the holder's records that are new since the last run, sorted, because the records of one change have no order. */
const watch = (kit: AuditedDirectory, holder: Holder) => {
  let known = 0
  return Effect.map(everything(kit, holder), (all) => {
    const newRecords = all.slice(0, all.length - known).map(({ by, change }) => [by, change])
    known = all.length
    return newRecords.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
  })
}

const registrationCases = (test: AuditTest): void => {
  test("records a registration with its actor, and a change with the names of the changed facts", (kit) =>
    Effect.gen(function* () {
      const newRecords = watch(kit, anIndependent)
      const freshOfReseller = watch(kit, aReseller)
      yield* kit.putReseller(aReseller).pipe(as("ana"))
      yield* kit.putCompany(anIndependent).pipe(as("ana"))
      expect(yield* newRecords).toEqual([
        ["ana", { kind: "companyRegistered" }],
        ["ana", { kind: "keySet" }],
      ])
      expect(yield* freshOfReseller).toEqual([
        ["ana", { kind: "keySet" }],
        ["ana", { kind: "resellerRegistered" }],
      ])
      const next = {
        ...anIndependent,
        city: "Olinda",
        pixKey: "nova@example.com",
        graceDays: 2,
        ownBankDomicile: false,
      }
      yield* kit.putCompany({ ...next, genericPayer: { name: "Consumidor", taxId: "52998224725" } }).pipe(as("rui"))
      yield* kit.putReseller({ ...aReseller, name: "Revenda Nova" })
      const facts = ["city", "genericPayer", "graceDays", "ownBankDomicile", "pixKey"]
      expect(yield* newRecords).toEqual([["rui", { kind: "companyChanged", facts }]])
      expect(yield* freshOfReseller).toEqual([[undefined, { kind: "resellerChanged", facts: ["name"] }]])
    }))

  test("doesn't record refused calls or calls without a change", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(anIndependent)
      const all = Effect.forEach([aReseller, aMember, anIndependent], (holder) => everything(kit, holder))
      const before = yield* all
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(anIndependent)
      yield* kit.rotateKey(anIndependent.cnpj, anIndependent.integratorKey)
      yield* kit.setWallet(anIndependent.cnpj, true)
      yield* kit.setAssociated(aMember.cnpj, true)
      yield* kit.setAssociated(anIndependent.cnpj, false)
      yield* kit.removeCallback(anIndependent.cnpj)
      yield* Effect.flip(kit.putCompany({ ...aMember, pixKey: anIndependent.pixKey }))
      yield* Effect.flip(kit.putCompany({ ...anIndependent, integratorKey: aNewKey, graceDays: 0 }))
      yield* Effect.flip(kit.rotateKey(aMember.cnpj, aNewKey))
      expect(yield* all).toEqual(before)
    }))
}

const switchCases = (test: AuditTest): void => {
  test("records set, replaced and revoked keys, without any part of a key", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      const newRecords = watch(kit, aReseller)
      yield* newRecords
      const made = yield* kit.rotateKey(aReseller.cnpj).pipe(as("ana"))
      expect(yield* newRecords).toEqual([["ana", { kind: "keyReplaced" }]])
      yield* kit.putReseller({ ...aReseller, integratorKey: aNewKey }).pipe(as("rui"))
      expect(yield* newRecords).toEqual([["rui", { kind: "keyReplaced" }]])
      yield* kit.revokeKey(aReseller.cnpj).pipe(as("ana"))
      yield* kit.revokeKey(aReseller.cnpj).pipe(as("ana"))
      expect(yield* newRecords).toEqual([["ana", { kind: "keyRevoked" }]])
      yield* kit.rotateKey(aReseller.cnpj, aNewKey)
      expect(yield* newRecords).toEqual([[undefined, { kind: "keySet" }]])
      const all = text(yield* everything(kit, aReseller))
      for (const key of [aReseller.integratorKey, made, aNewKey]) expect(all).not.toContain(key.slice(-4))
    }))

  test("records the wallets of company and reseller separately", (kit) =>
    Effect.gen(function* () {
      const { reseller: _, ...itself } = { ...aMember, cnpj: aReseller.cnpj, walletActive: false }
      const newRecords = watch(kit, aReseller)
      yield* kit.putReseller(aReseller)
      yield* newRecords
      yield* kit.putCompany(itself)
      expect(yield* newRecords).toEqual([
        [undefined, { kind: "associationBegun", reseller: aReseller.cnpj }],
        [undefined, { kind: "companyRegistered" }],
        [undefined, { kind: "walletDeactivated", of: "company" }],
      ])
      yield* kit.setWallet(aReseller.cnpj, true).pipe(as("ana"))
      expect(yield* newRecords).toEqual([["ana", { kind: "walletActivated", of: "company" }]])
      yield* kit.setWallet(aReseller.cnpj, false).pipe(as("rui"))
      expect(yield* newRecords).toEqual([
        ["rui", { kind: "walletDeactivated", of: "company" }],
        ["rui", { kind: "walletDeactivated", of: "reseller" }],
      ])
    }))

  test("records every beginning and end of an association, with its reseller", (kit) =>
    Effect.gen(function* () {
      const another = { ...aReseller, cnpj: "11444777000161" }
      yield* kit.putReseller(aReseller)
      yield* kit.putReseller(another)
      const newRecords = watch(kit, aMember)
      const associationBegun = (reseller: string) => ["ana", { kind: "associationBegun", reseller }]
      const associationEnded = (reseller: string) => ["ana", { kind: "associationEnded", reseller }]
      yield* kit.putCompany(aMember).pipe(as("ana"))
      expect(yield* newRecords).toEqual([associationBegun(aReseller.cnpj), ["ana", { kind: "companyRegistered" }]])
      yield* kit.setAssociated(aMember.cnpj, false).pipe(as("ana"))
      expect(yield* newRecords).toEqual([associationEnded(aReseller.cnpj)])
      yield* kit.setAssociated(aMember.cnpj, true).pipe(as("ana"))
      expect(yield* newRecords).toEqual([associationBegun(aReseller.cnpj)])
      yield* kit.putCompany({ ...aMember, reseller: another.cnpj }).pipe(as("ana"))
      expect(yield* newRecords).toEqual([associationBegun(another.cnpj), associationEnded(aReseller.cnpj)])
      const { reseller: _, ...alone } = aMember
      yield* kit.putCompany(alone).pipe(as("ana"))
      expect(yield* newRecords).toEqual([associationEnded(another.cnpj)])
    }))
}

const endpointCases = (test: AuditTest): void => {
  test("records set, replaced and removed endpoints, with only their hosts", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany(anIndependent)
      const newRecords = watch(kit, anIndependent)
      yield* newRecords
      const endpointId = callbackId(anIndependent.cnpj)
      yield* kit.putCompany({ ...anIndependent, callback }).pipe(as("ana"))
      expect(yield* newRecords).toEqual([["ana", { kind: "endpointSet", endpointId, host }]])
      yield* kit.putCompany({ ...anIndependent, callback: otherCallback }).pipe(as("rui"))
      const other = "outra.example.com"
      expect(yield* newRecords).toEqual([
        ["rui", { kind: "endpointReplaced", endpointId, host: other, hostBefore: host }],
      ])
      const newSecret = ["whsec_b3V0cm8gc2VncmVkbyBkYSByZXZlbmRh"]
      yield* kit.putCompany({ ...anIndependent, callback: { ...otherCallback, secrets: newSecret } }).pipe(as("rui"))
      expect(yield* newRecords).toEqual([
        ["rui", { kind: "endpointReplaced", endpointId, host: other, hostBefore: other }],
      ])
      yield* kit.removeCallback(anIndependent.cnpj).pipe(as("ana"))
      expect(yield* newRecords).toEqual([["ana", { kind: "endpointRemoved", endpointId, host: other }]])
      const all = text(yield* everything(kit, anIndependent))
      for (const part of ["user", "password", "/pix", "token", "whsec"]) expect(all).not.toContain(part)
    }))

  test("records paused, resumed and disabled endpoints, with their owner", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      const newRecords = watch(kit, aReseller)
      yield* newRecords
      const endpointId = callbackId(aReseller.cnpj)
      yield* kit.endpoints.setStatus(endpointId, "paused").pipe(as("ana"))
      yield* kit.endpoints.setStatus(endpointId, "paused").pipe(as("rui"))
      expect(yield* newRecords).toEqual([["ana", { kind: "endpointPaused", endpointId }]])
      yield* kit.endpoints.setStatus(endpointId, "enabled").pipe(as("rui"))
      expect(yield* newRecords).toEqual([["rui", { kind: "endpointResumed", endpointId }]])
      yield* kit.endpoints.setStatus(endpointId, "disabled")
      expect(yield* newRecords).toEqual([[undefined, { kind: "endpointDisabled", endpointId }]])
      yield* kit.endpoints.setStatus("nobody", "paused").pipe(as("ana"))
      const ofMember = (yield* everything(kit, aMember)).map(({ change }) => change.kind)
      expect(ofMember.toSorted()).toEqual(["associationBegun", "companyRegistered"])
    }))
}

/** Tests of `AuditLog` for a directory on the same database; each test builds both. */
export const directoryAuditSuite = (name: string, layer: () => Layer.Layer<AuditedPorts, unknown>): void => {
  const make = Effect.suspend(() =>
    Effect.flatMap(Layer.build(layer()), (context) =>
      Effect.map(directoryUnderTest(Layer.succeedContext(context)), (kit) => ({
        ...kit,
        log: Context.get(context, AuditLog),
      })),
    ),
  )
  describe(`${name}: AuditLog of a directory`, () => {
    const test: AuditTest = directoryTests(make)
    describe("registrations", () => registrationCases(test))
    describe("keys, wallets and associations", () => switchCases(test))
    describe("endpoints", () => endpointCases(test))
  })
}

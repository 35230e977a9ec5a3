import { inspect } from "node:util"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect } from "vitest"
import { cnpj } from "../../fixtures/Companies.ts"
import {
  aMember,
  anIndependent,
  aReseller,
  type DirectoryTest,
  directoryTests,
  type DirectoryUnderTest,
  type MakeDirectory,
} from "./DirectoryDriver.ts"

const callback = {
  url: "https://revenda.example.com/pix?loja=1&x=%20",
  secrets: ["whsec_bm92YSBjaGF2ZSBkZSBhc3NpbmF0dXJh", "whsec_Y2hhdmUgYW50aWdhIGRlIGFzc2luYXR1cmE="],
  kinds: ["paid", "refunded"],
} as const

const endpointsFor = ({ endpoints }: DirectoryUnderTest, company: { readonly cnpj: string }) =>
  endpoints.forCompany(cnpj(company.cnpj))

const plain = ({ target, ...endpoint }: Endpoint) => ({
  ...endpoint,
  target:
    target._tag === "Http" ? { ...target, secrets: target.secrets.map((secret) => Redacted.value(secret)) } : target,
})

const only = Effect.fnUntraced(function* (kit: DirectoryUnderTest, company: { readonly cnpj: string }) {
  const [endpoint, ...others] = yield* endpointsFor(kit, company)
  if (endpoint === undefined || others.length > 0) throw new Error("expected exactly one endpoint")
  return endpoint
})

const cases = (test: DirectoryTest): void => {
  test("sends the events of a reseller's companies to the reseller's callback", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      const endpoint = yield* only(kit, aMember)
      expect(plain(endpoint)).toEqual({
        id: endpoint.id,
        target: { _tag: "Http", url: callback.url, secrets: callback.secrets },
        kinds: callback.kinds,
        status: "enabled",
      })
      expect(yield* kit.endpoints.find(endpoint.id)).toEqual(endpoint)
    }))

  test("sends a callback only `paid` events by default", (kit) =>
    Effect.gen(function* () {
      const { kinds: _, ...byDefault } = callback
      yield* kit.putReseller({ ...aReseller, callback: byDefault })
      yield* kit.putCompany(aMember)
      expect((yield* only(kit, aMember)).kinds).toEqual(["paid"])
    }))

  test("finds no endpoint without a callback, or for unknown companies and ids", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller(aReseller)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(anIndependent)
      for (const company of [aMember, anIndependent, { cnpj: "12ABC34501DE35" }]) {
        expect(yield* endpointsFor(kit, company)).toEqual([])
      }
      for (const id of ["", "x", "' OR 1=1 --"]) expect(yield* kit.endpoints.find(id)).toBeUndefined()
    }))

  test("lets a company without a reseller have its own callback", (kit) =>
    Effect.gen(function* () {
      yield* kit.putCompany({ ...anIndependent, callback })
      const endpoint = yield* only(kit, anIndependent)
      expect(plain(endpoint)).toMatchObject({ target: { url: callback.url }, status: "enabled" })
      expect(yield* kit.endpoints.find(endpoint.id)).toEqual(endpoint)
    }))

  test("sends the events of a reseller that issues for itself to its one callback", (kit) =>
    Effect.gen(function* () {
      const { reseller: _, ...itself } = { ...aMember, cnpj: aReseller.cnpj, pixKey: aReseller.cnpj }
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(itself)
      expect((yield* only(kit, aReseller)).target).toMatchObject({ url: callback.url })
    }))

  test("gives all companies of a reseller one endpoint, which differs from another reseller's endpoint", (kit) =>
    Effect.gen(function* () {
      const other = { ...aReseller, cnpj: "11444777000161", callback: { ...callback, url: "http://127.0.0.1:9/x" } }
      const { integratorKey: _, ...second } = { ...anIndependent, reseller: aReseller.cnpj }
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putReseller(other)
      yield* kit.putCompany(aMember)
      yield* kit.putCompany(second)
      yield* kit.putCompany({ ...aMember, cnpj: "12ABC34501DE35", pixKey: "x@example.com", reseller: other.cnpj })
      const [first, same, theirs] = [
        yield* only(kit, aMember),
        yield* only(kit, second),
        yield* only(kit, { cnpj: "12ABC34501DE35" }),
      ]
      expect(same).toEqual(first)
      expect(theirs.id).not.toBe(first.id)
    }))

  test("sends no more events to the reseller once the association has ended", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany({ ...aMember, associated: false })
      expect(yield* endpointsFor(kit, aMember)).toEqual([])
    }))

  test("shows a changed status immediately, and only on the changed endpoint", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      yield* kit.putCompany({ ...anIndependent, callback })
      const { id } = yield* only(kit, aMember)
      const statuses: Readonly<Record<Endpoint["status"], true>> = { paused: true, disabled: true, enabled: true }
      for (const status of [...Object.keys(statuses), "disabled"] as ReadonlyArray<Endpoint["status"]>) {
        yield* kit.endpoints.setStatus(id, status)
        expect((yield* only(kit, aMember)).status).toBe(status)
        expect((yield* kit.endpoints.find(id))?.status).toBe(status)
        expect((yield* only(kit, anIndependent)).status).toBe("enabled")
      }
    }))

  test("ignores a status for an unknown endpoint", (kit) =>
    Effect.gen(function* () {
      yield* kit.endpoints.setStatus("nobody", "paused")
      expect(yield* kit.endpoints.find("nobody")).toBeUndefined()
    }))

  test("keeps id and status of a changed callback, so that waiting deliveries find it", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      const { id } = yield* only(kit, aMember)
      yield* kit.endpoints.setStatus(id, "paused")
      yield* kit.putReseller({ ...aReseller, callback: { ...callback, url: "https://nova.example.com/pix" } })
      const after = yield* only(kit, aMember)
      expect([after.id, after.status, after.target]).toMatchObject([
        id,
        "paused",
        { url: "https://nova.example.com/pix" },
      ])
    }))

  test("hides secrets when an endpoint is printed", (kit) =>
    Effect.gen(function* () {
      yield* kit.putReseller({ ...aReseller, callback })
      yield* kit.putCompany(aMember)
      const endpoint = yield* only(kit, aMember)
      const printed = [JSON.stringify(endpoint), inspect(endpoint, { depth: 9 })].join()
      for (const secret of callback.secrets) expect(printed).not.toContain(secret.slice(6, 20))
    }))
}

/** Tests of a directory's `CallbackEndpoints`. */
export const callbackEndpointsSuite = (name: string, make: MakeDirectory): void => {
  describe(`${name}: CallbackEndpoints`, () => cases(directoryTests(make)))
}

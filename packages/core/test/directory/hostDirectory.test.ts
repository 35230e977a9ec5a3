import {
  Actor,
  CallbackEndpoints,
  CompanyDirectory,
  DirectoryUnavailable,
  hostDirectory,
  type HostDirectoryOptions,
} from "@pixcharge/core"
import { normalizePixKey } from "@pixcharge/core/brcode"
import {
  type CompanyInput,
  type HostCompany,
  type HostEndpoint,
  InvalidRegistration,
  type ResellerInput,
} from "@pixcharge/core/directory"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import { callbackEndpointsSuite, companyDirectorySuite, it, type MakeDirectory } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it as plainIt } from "vitest"

/** A host's own tables. */
const makeTables = () => {
  const companies = new Map<string, CompanyInput>()
  const resellers = new Map<string, ResellerInput>()
  const statuses = new Map<string, NonNullable<HostEndpoint["status"]>>()

  /** A row for each registration of a key; the last row of a holder is the current key. */
  const keys: Array<{ readonly holder: string; readonly integratorKey: string | undefined }> = []

  const keyOf = (holder: string) => {
    const index = keys.findLastIndex((row) => row.holder === holder)
    const integratorKey = keys[index]?.integratorKey
    return integratorKey === undefined ? {} : { integratorKey, keyRegistration: String(index) }
  }

  const setKey = (holder: string, integratorKey: string | undefined): void => {
    if (keyOf(holder).integratorKey !== integratorKey) keys.push({ holder, integratorKey })
  }

  const toHostCompany = (row: CompanyInput | undefined): HostCompany | null => {
    if (row === undefined) return null
    const { reseller: _, integratorKey: __, callback: ___, associated = true, ...company } = row
    const {
      integratorKey: ____,
      callback: _____,
      ...reseller
    } = resellers.get(row.reseller ?? row.cnpj) ?? { cnpj: "" }
    if (!("name" in reseller)) return { ...company, ...keyOf(row.cnpj) }
    return { ...company, reseller: { ...reseller, ...keyOf(reseller.cnpj), associated } }
  }

  const endpointAt = (cnpj: string): ReadonlyArray<HostEndpoint> => {
    const callback = (resellers.get(cnpj) ?? companies.get(cnpj))?.callback
    const status = statuses.get(`e-${cnpj}`)
    return callback === undefined ? [] : [{ ...callback, id: `e-${cnpj}`, ...(status && { status }) }]
  }

  const options: HostDirectoryOptions = {
    companies: {
      find: (cnpj) => Promise.resolve(toHostCompany(companies.get(cnpj))),
      byPixKey: (key) =>
        Promise.resolve(toHostCompany([...companies.values()].find(({ pixKey }) => normalizePixKey(pixKey) === key))),
    },
    endpoints: {
      forCompany: (cnpj) => {
        const row = companies.get(cnpj)
        const holder = row?.associated === false ? cnpj : (row?.reseller ?? cnpj)
        return Promise.resolve(row === undefined ? [] : endpointAt(holder))
      },
      find: (id) => Promise.resolve(endpointAt(id.slice(2))[0]),
      setStatus: (id, status) => {
        statuses.set(id, status)
        return Promise.resolve()
      },
    },
  }
  const put = (row: CompanyInput | ResellerInput): void => {
    if ("city" in row) companies.set(row.cnpj, row)
    else resellers.set(row.cnpj, row)
    if (row.integratorKey !== undefined) setKey(row.cnpj, row.integratorKey)
  }
  return { put, setKey, options }
}

const makeUnderTest: MakeDirectory = Effect.gen(function* () {
  const { put, setKey, options } = makeTables()
  const host = hostDirectory(options)
  const context = yield* Layer.build(host)
  const applyChange = <A>(change: () => A) =>
    Effect.sync(() => {
      const result = change()
      host.invalidate()
      return result
    })
  return {
    directory: Context.get(context, CompanyDirectory),
    endpoints: Context.get(context, CallbackEndpoints),
    putCompany: (company) => applyChange(() => put(company)),
    putReseller: (reseller) => applyChange(() => put(reseller)),
    revokeKey: (cnpj) => applyChange(() => setKey(cnpj, undefined)),
    rotateKey: (cnpj, integratorKey = "chave nova") =>
      applyChange(() => {
        setKey(cnpj, integratorKey)
        return integratorKey
      }),
  }
})

companyDirectorySuite("the host's own tables", makeUnderTest)
callbackEndpointsSuite("the host's own tables", makeUnderTest)

const row: HostCompany = {
  cnpj: aCnpj,
  name: "Padaria Aurora",
  city: "São Paulo",
  pixKey: aCnpj,
  graceDays: 5,
  integratorKey: { kid: "7", hmac: "ab".repeat(32) },
}

const none = () => Promise.resolve(undefined)

const using = <A, E>(
  options: Partial<HostDirectoryOptions["companies"]> & Pick<HostDirectoryOptions, "maxAgeMs">,
  body: (directory: CompanyDirectory["Service"], host: ReturnType<typeof hostDirectory>) => Effect.Effect<A, E>,
) => {
  const { maxAgeMs, ...companies } = options
  const host = hostDirectory({
    companies: { find: none, byPixKey: none, ...companies },
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  })
  return Effect.flatMap(Effect.provide(CompanyDirectory, host), (directory) => body(directory, host))
}

describe("the host's own tables", () => {
  plainIt("can't be cached without room for an entry", () => {
    expect(() => hostDirectory({ companies: { find: none, byPixKey: none }, maxCount: 0 })).toThrow(
      'hostDirectory: the option "maxCount" must be a number from 1 on.',
    )
  })

  plainIt.each([-1, 60_001, Number.NaN, Infinity])("can't be cached for %s ms", (maxAgeMs) => {
    expect(() => hostDirectory({ companies: { find: none, byPixKey: none }, maxAgeMs })).toThrow(
      'hostDirectory: the option "maxAgeMs" must be a number from 0 to 60000.',
    )
  })

  it.effect("aren't queried for an impossible key; only a limited number of unknown keys is cached", () => {
    const queriedKeys: Array<string> = []
    const count = (key: string) => {
      queriedKeys.push(key)
      return Promise.resolve(undefined)
    }
    const maxCount = 100
    const host = hostDirectory({ companies: { find: none, byPixKey: count }, maxCount })
    return Effect.gen(function* () {
      const { byPixKey } = yield* Effect.provide(CompanyDirectory, host)
      for (const key of [
        "",
        " ",
        "somebody",
        "SOMEBODY@ELSE_EXAMPLE.",
        "1".repeat(11),
        `${"x".repeat(4_000_000)}@y.z`,
      ]) {
        expect(yield* byPixKey(key)).toBeUndefined()
      }
      expect(queriedKeys).toEqual([])
      const strangers = Array.from({ length: 5_000 }, (_, n) => `stranger-${n}@else.example`)
      for (const key of strangers) yield* byPixKey(key)
      queriedKeys.length = 0
      for (const key of strangers.toReversed()) yield* byPixKey(key)
      const kept = strangers.length - queriedKeys.length
      expect(kept).toBeGreaterThanOrEqual(maxCount / 2)
      expect(kept).toBeLessThanOrEqual(maxCount)
    })
  })

  it.effect("are read once in five seconds, and immediately after `invalidate`", () => {
    let reads = 0
    const find = () => {
      reads += 1
      return Promise.resolve({ ...row, graceDays: reads })
    }
    return using({ find }, (directory, host) =>
      Effect.gen(function* () {
        const days = Effect.map(directory.find(aCnpj), (entry) => entry?.company.graceDays)
        expect([yield* days, yield* days]).toEqual([1, 1])
        yield* TestClock.adjust(4_999)
        expect(yield* days).toBe(1)
        yield* TestClock.adjust(1)
        expect(yield* days).toBe(2)
        host.invalidate()
        expect(yield* days).toBe(3)
      }),
    )
  })

  it.effect("are read again to verify a key; a missing company isn't cached", () => {
    let reads = 0
    let found: HostCompany | undefined
    const find = () => {
      reads += 1
      return Promise.resolve(found)
    }
    return using({ find }, (directory) =>
      Effect.gen(function* () {
        expect(yield* directory.verifyKey(aCnpj, "chave")).toBeUndefined()
        found = row
        expect((yield* directory.find(aCnpj))?.company.graceDays).toBe(5)
        found = { ...row, graceDays: 6 }
        yield* directory.verifyKey(aCnpj, "chave")
        expect((yield* directory.find(aCnpj))?.company.graceDays).toBe(6)
        expect(reads).toBe(3)
      }),
    )
  })

  it.effect("give the same company object while it is cached", () =>
    using({ find: () => Promise.resolve({ ...row, localHolidays: ["2026-01-25"] }) }, (directory) =>
      Effect.gen(function* () {
        expect(yield* directory.find(aCnpj)).toBe(yield* directory.find(aCnpj))
      }),
    ),
  )

  it.effect("can hold keys as digests", () =>
    using({ find: () => Promise.resolve(row) }, (directory) =>
      Effect.gen(function* () {
        expect((yield* directory.find(aCnpj))?.credential).toEqual({
          holder: aCnpj,
          key: { _tag: "Digest", kid: "7", hmac: "ab".repeat(32) },
        })
      }),
    ),
  )

  it.effect("need no association of a reseller with itself: its own key authenticates it", () => {
    const { integratorKey, ...itself } = row
    const reseller = { cnpj: aCnpj, name: "Padaria", associated: false, integratorKey: integratorKey ?? "" }
    return using({ find: () => Promise.resolve({ ...itself, reseller }) }, (directory) =>
      Effect.gen(function* () {
        expect((yield* directory.find(aCnpj))?.credential).toMatchObject({ holder: aCnpj, key: { kid: "7" } })
      }),
    )
  })

  it.effect("are unavailable with the cause if they can't be read, and older entries aren't used", () => {
    const cause = new Error("connection reset")
    let isDown = false
    const find = () => (isDown ? Promise.reject(cause) : Promise.resolve(row))
    return using({ find }, (directory) =>
      Effect.gen(function* () {
        yield* directory.find(aCnpj)
        isDown = true
        yield* TestClock.adjust("5 seconds")
        const failure = yield* Effect.flip(directory.find(aCnpj))
        expect(failure).toEqual(new DirectoryUnavailable({ operation: "find", cause }))
        isDown = false
        expect((yield* directory.find(aCnpj))?.company.name).toBe("Padaria Aurora")
      }),
    )
  })

  it.effect("are unavailable if their function doesn't answer within 15 s", () =>
    using({ find: () => new Promise<undefined>(() => undefined) }, (directory) =>
      Effect.gen(function* () {
        const found = yield* Effect.forkChild(Effect.flip(directory.find(aCnpj)))
        yield* TestClock.adjust(14_999)
        expect(found.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        const cause = new Error("no answer within 15 s")
        expect(yield* Fiber.join(found)).toEqual(new DirectoryUnavailable({ operation: "find", cause }))
      }),
    ),
  )

  it.effect("are unavailable if their function throws", () =>
    using(
      {
        byPixKey: () => {
          throw new Error("not even a promise")
        },
      },
      (directory) =>
        Effect.gen(function* () {
          expect((yield* Effect.flip(directory.byPixKey(row.pixKey)))._tag).toBe("DirectoryUnavailable")
        }),
    ),
  )

  const broken: Record<string, Partial<HostCompany>> = {
    cnpj: { cnpj: "12345678000196" },
    name: { name: " " },
    city: { city: "" },
    pixKey: { pixKey: "11987654321" },
    graceDays: { graceDays: 0 },
    "fees.fine": { fees: { fine: { kind: "percent", basisPoints: 0.5 } } },
    "genericPayer.taxId": { genericPayer: { name: "Ana", taxId: "1" } },
    "genericPayer.name": { genericPayer: { name: "", taxId: "52998224725" } },
    localHolidays: { localHolidays: ["2026-02-30"] },
    integratorKey: { integratorKey: "" },
  }
  for (const [field, change] of Object.entries(broken)) {
    it.effect(`are unavailable with the reason if a registration breaks a rule (${field})`, () =>
      using({ find: () => Promise.resolve({ ...row, ...change }) }, (directory) =>
        Effect.gen(function* () {
          const { cause } = yield* Effect.flip(directory.find(aCnpj))
          expect(cause).toBeInstanceOf(InvalidRegistration)
          expect(cause).toMatchObject({ field, message: expect.stringContaining(`can't be used: ${field} `) })
        }),
      ),
    )
  }

  it.effect("get the actor of a change of an endpoint's status, if there is one", () =>
    Effect.gen(function* () {
      const statusChanges: Array<ReadonlyArray<unknown>> = []
      const setStatus = (...given: ReadonlyArray<unknown>) => Promise.resolve(void statusChanges.push(given))
      const host = hostDirectory({
        companies: { find: none, byPixKey: none },
        endpoints: { forCompany: () => Promise.resolve([]), find: none, setStatus },
      })
      const endpoints = yield* Effect.provide(CallbackEndpoints, host)
      yield* Effect.provideService(endpoints.setStatus("loja", "paused"), Actor, "ana")
      yield* endpoints.setStatus("loja", "disabled")
      expect(statusChanges).toEqual([
        ["loja", "paused", "ana"],
        ["loja", "disabled", undefined],
      ])
    }),
  )

  it.effect("have no endpoints if the host gives no function for them", () =>
    Effect.gen(function* () {
      const endpoints = yield* Effect.provide(
        CallbackEndpoints,
        hostDirectory({ companies: { find: none, byPixKey: none } }),
      )
      expect([yield* endpoints.forCompany(aCnpj), yield* endpoints.find("x")]).toEqual([[], undefined])
    }),
  )
})

import type * as CacheModule from "@pixcharge/core/internal"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { makeFailureLimits } from "../../src/tokens/failureLimits.ts"

const maps: Array<ReturnType<typeof CacheModule.makeRecentMap<unknown, unknown>>> = []

vi.mock("@pixcharge/core/internal", async (original) => {
  const cache = await original<typeof CacheModule>()
  return {
    ...cache,
    makeRecentMap: (maxCount: number) => {
      const map = cache.makeRecentMap<unknown, unknown>(maxCount)
      maps.push(map)
      return map
    },
  }
})

beforeEach(() => {
  maps.length = 0
})

/** The number of keys by address, and by address and company. */
const countKeys = (): ReadonlyArray<number> => maps.map((map) => map.values().length)

const tenMinutesMs = 600_000
const fail = (count: ReturnType<typeof makeFailureLimits>, times: number, address: string, cnpj = "", nowMs = 0) =>
  Array.from({ length: times }, () => count(address, cnpj, nowMs))

describe("failed token requests", () => {
  it("are too many after 20 of one address and company, until ten minutes after the first", () => {
    const count = makeFailureLimits()
    expect(fail(count, 20, "192.0.2.1", "a", 5)).toEqual(Array.from({ length: 20 }, () => 0))
    expect(count("192.0.2.1", "a", 5)).toBe(tenMinutesMs)
    expect(count("192.0.2.1", "a", 4 + tenMinutesMs)).toBe(1)
    expect(count("192.0.2.1", "a", 5 + tenMinutesMs)).toBe(0)
  })

  it("count separately for each company and each address", () => {
    const count = makeFailureLimits()
    fail(count, 21, "192.0.2.1", "a")
    expect([count("192.0.2.1", "b", 0), count("192.0.2.2", "a", 0)]).toEqual([0, 0])
  })

  it("are too many after 100 of one address for any companies", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 100; n++) expect(count("192.0.2.1", `company ${n}`, 0)).toBe(0)
    expect(count("192.0.2.1", "another", 1)).toBe(tenMinutesMs - 1)
    expect(count("192.0.2.2", "another", 1)).toBe(0)
  })

  it("aren't counted by company for a blocked address, to save memory", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 1_000; n++) count("192.0.2.1", `company ${n}`, 0)
    expect(countKeys()).toEqual([1, 100])
  })

  it("are forgotten above 20 000 addresses, except for the latest addresses", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 50_000; n++) count(`address ${n}`, "a", 0)
    for (const size of countKeys()) expect(size).toBeLessThanOrEqual(20_000)
    expect(fail(count, 20, "address 49999", "a").at(-1)).toBe(tenMinutesMs)
  })

  it("are forgotten after two windows of ten minutes", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 50; n++) count(`address ${n}`, "a", 0)
    for (const window of [1, 2]) count("192.0.2.1", "a", window * tenMinutesMs)
    expect(countKeys()).toEqual([1, 1])
  })
})

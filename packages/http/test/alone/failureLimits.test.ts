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
const remembered = (): ReadonlyArray<number> => maps.map((map) => map.values().length)

const tenMinutesMs = 600_000
const failed = (count: ReturnType<typeof makeFailureLimits>, times: number, address: string, cnpj = "", nowMs = 0) =>
  Array.from({ length: times }, () => count(address, cnpj, nowMs))

describe("failed token requests", () => {
  it("are too many after 20 for an address and company, until ten minutes after the first", () => {
    const count = makeFailureLimits()
    expect(failed(count, 20, "192.0.2.1", "a", 5)).toEqual(Array.from({ length: 20 }, () => 0))
    expect(count("192.0.2.1", "a", 5)).toBe(tenMinutesMs)
    expect(count("192.0.2.1", "a", 4 + tenMinutesMs)).toBe(1)
    expect(count("192.0.2.1", "a", 5 + tenMinutesMs)).toBe(0)
  })

  it("count separately for each company and each address", () => {
    const count = makeFailureLimits()
    failed(count, 21, "192.0.2.1", "a")
    expect([count("192.0.2.1", "b", 0), count("192.0.2.2", "a", 0)]).toEqual([0, 0])
  })

  it("are too many after 100 for an address and any companies", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 100; n++) expect(count("192.0.2.1", `company ${n}`, 0)).toBe(0)
    expect(count("192.0.2.1", "another", 1)).toBe(tenMinutesMs - 1)
    expect(count("192.0.2.2", "another", 1)).toBe(0)
  })

  it("of a blocked address aren't counted by company, to save memory", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 1_000; n++) count("192.0.2.1", `company ${n}`, 0)
    expect(remembered()).toEqual([1, 100])
  })

  it("are forgotten by number: the latest addresses stay", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 50_000; n++) count(`address ${n}`, "a", 0)
    for (const size of remembered()) expect(size).toBeLessThanOrEqual(20_000)
    expect(failed(count, 20, "address 49999", "a").at(-1)).toBe(tenMinutesMs)
  })

  it("are forgotten after two windows", () => {
    const count = makeFailureLimits()
    for (let n = 0; n < 50; n++) count(`address ${n}`, "a", 0)
    for (const window of [1, 2]) count("192.0.2.1", "a", window * tenMinutesMs)
    expect(remembered()).toEqual([1, 1])
  })
})

import { describe, expect, it } from "vitest"
import type { Cnpj } from "../../src/model/party/Cnpj.ts"
import { CompanyLimits } from "../../src/services/reconcile/CompanyLimits.ts"

const second = 1_000
const companies = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padStart(14, "0") as Cnpj)
const down = "11222333000181" as Cnpj
const healthy = "12345678000195" as Cnpj

/** Begins as many checks as possible; returns their number. */
const beginAll = (limits: CompanyLimits, issuer: Cnpj, now: number, max = 100): number => {
  let begun = 0
  while (begun < max && limits.begin(issuer, now)) begun += 1
  return begun
}

/** Begins a check that is not answered. */
const probe = (limits: CompanyLimits, issuer: Cnpj, now: number, retryAfterMs?: number): void => {
  expect(limits.begin(issuer, now)).toBe(true)
  limits.recordSilence(issuer, now, retryAfterMs)
  limits.end(issuer)
}

describe("CompanyLimits", () => {
  it("cools down for 1 s after an unanswered call, doubling up to a minute", () => {
    const limits = new CompanyLimits(64)
    let now = 0
    const coolDowns = []
    for (let time = 0; time < 8; time++) {
      probe(limits, down, now)
      coolDowns.push(limits.coolDownUntil(down) - now)
      expect(limits.begin(down, limits.coolDownUntil(down) - 1)).toBe(false)
      now = limits.coolDownUntil(down)
    }
    expect(coolDowns).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * second))
  })

  it("frees one place with each check that ends", () => {
    const limits = new CompanyLimits(8)
    expect(limits.begin(healthy, 0)).toBe(true)
    limits.recordAnswer(healthy, 0)
    limits.end(healthy)
    expect(beginAll(limits, healthy, 0)).toBe(8)
    limits.end(healthy)
    expect(beginAll(limits, healthy, 0)).toBe(1)
  })

  it("cools down as long as the processor requests, at most a minute, even during a cool-down", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 0, 20 * second)
    expect(limits.coolDownUntil(down)).toBe(20 * second)
    limits.recordSilence(down, 10 * second, 15 * second)
    expect(limits.coolDownUntil(down)).toBe(25 * second)
    limits.recordSilence(down, 10 * second, 3_600 * second)
    expect(limits.coolDownUntil(down)).toBe(70 * second)
  })

  it("ends a cool-down that a fast clock has set", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 40 * 86_400 * second)
    expect(limits.begin(down, 100)).toBe(true)
    expect(limits.coolDownUntil(down)).toBe(0)
    limits.recordSilence(down, 200)
    expect(limits.coolDownUntil(down)).toBe(200 + 2 * second)
  })

  it("allows one probe at first, and all places once it is answered", () => {
    const limits = new CompanyLimits(64)
    expect(beginAll(limits, healthy, 0)).toBe(1)
    expect(limits.isSilent(healthy)).toBe(false)
    expect(limits.coolDownUntil(healthy)).toBe(0)
    limits.recordAnswer(healthy, 100)
    expect(beginAll(limits, healthy, 100)).toBe(63)
  })

  it("has neither silence nor a cool-down for an unknown company", () => {
    const limits = new CompanyLimits(64)
    expect(limits.isSilent(healthy)).toBe(false)
    expect(limits.coolDownUntil(healthy)).toBe(0)
  })

  it("allows one probe after a cool-down, then half of the former limit", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 0)
    expect(limits.isSilent(down)).toBe(true)
    expect(beginAll(limits, down, second)).toBe(1)
    limits.recordAnswer(down, second)
    expect(limits.isSilent(down)).toBe(false)
    expect(beginAll(limits, down, second)).toBe(31)
  })

  it("rounds down when it halves an odd limit", () => {
    const limits = new CompanyLimits(14)
    probe(limits, down, 0)
    probe(limits, down, limits.coolDownUntil(down))
    const now = limits.coolDownUntil(down)
    expect(limits.begin(down, now)).toBe(true)
    limits.recordAnswer(down, now)
    limits.end(down)
    expect(beginAll(limits, down, now)).toBe(4)
  })

  it("counts simultaneous unanswered calls once, and ignores answers from before a cool-down", () => {
    const limits = new CompanyLimits(64)
    limits.recordAnswer(down, 0)
    expect(beginAll(limits, down, 0, 64)).toBe(64)
    for (let time = 0; time < 64; time++) {
      limits.recordSilence(down, 0)
      limits.end(down)
    }
    expect(limits.coolDownUntil(down)).toBe(second)
    limits.recordAnswer(down, 500)
    expect(beginAll(limits, down, second)).toBe(1)
    limits.recordAnswer(down, second)
    expect(beginAll(limits, down, second)).toBe(31)
  })

  it("raises a halved limit by one with each answer, up to the full limit", () => {
    const limits = new CompanyLimits(8)
    probe(limits, down, 0)
    for (let time = 0; time < 3; time++) limits.recordAnswer(down, second)
    // Below its full limit, a company gets at most half of all places.
    expect(beginAll(limits, down, second, 20)).toBe(4)
    limits.recordAnswer(down, second)
    expect(beginAll(limits, down, second, 20)).toBe(4)
    expect(limits.underWay).toBe(8)
  })

  it("limits each company by itself", () => {
    const limits = new CompanyLimits(64)
    limits.recordAnswer(healthy, 0)
    probe(limits, down, 0)
    expect(beginAll(limits, healthy, 0, 64)).toBe(64)
  })

  it("leaves half of the places to companies whose processors answer", () => {
    const limits = new CompanyLimits(64)
    limits.recordAnswer(healthy, 0)
    expect(companies(100).filter((issuer) => limits.begin(issuer, 0))).toHaveLength(32)
    expect(beginAll(limits, healthy, 0, 32)).toBe(32)
    expect(limits.underWay).toBe(64)
  })

  it("remembers at most 20 000 companies, including the 10 000 called last", () => {
    const limits = new CompanyLimits(64)
    const called = companies(20_050)
    for (const issuer of called) probe(limits, issuer, 0)
    expect(limits.keptCount).toBeLessThanOrEqual(20_000)
    expect(limits.coolDownUntil("00000000000049" as Cnpj)).toBe(0)
    for (const issuer of called.slice(-10_000)) expect(limits.coolDownUntil(issuer)).toBe(second)
  })
})

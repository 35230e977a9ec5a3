import { describe, expect, it } from "vitest"
import type { Cnpj } from "../../src/model/party/Cnpj.ts"
import { CompanyLimits } from "../../src/services/reconcile/CompanyLimits.ts"

const second = 1_000
const companies = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padStart(14, "0") as Cnpj)
const down = "11222333000181" as Cnpj
const healthy = "12345678000195" as Cnpj

/** Begins as many checks as it may; how many. */
const beginAll = (limits: CompanyLimits, issuer: Cnpj, now: number, most = 100): number => {
  let begun = 0
  while (begun < most && limits.begin(issuer, now)) begun += 1
  return begun
}

/** One check that is begun and not answered. */
const probe = (limits: CompanyLimits, issuer: Cnpj, now: number, retryAfterMs?: number): void => {
  expect(limits.begin(issuer, now)).toBe(true)
  limits.recordSilence(issuer, now, retryAfterMs)
  limits.end(issuer)
}

describe("a company's limit", () => {
  it("rests 1 s after a call without an answer, twice as long after each more, and a minute at most", () => {
    const limits = new CompanyLimits(64)
    let now = 0
    const rests = []
    for (let time = 0; time < 8; time++) {
      probe(limits, down, now)
      rests.push(limits.coolDownUntil(down) - now)
      expect(limits.begin(down, limits.coolDownUntil(down) - 1)).toBe(false)
      now = limits.coolDownUntil(down)
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * second))
  })

  it("is freed of one check by each that ends", () => {
    const limits = new CompanyLimits(8)
    expect(limits.begin(healthy, 0)).toBe(true)
    limits.recordAnswer(healthy, 0)
    limits.end(healthy)
    expect(beginAll(limits, healthy, 0)).toBe(8)
    limits.end(healthy)
    expect(beginAll(limits, healthy, 0)).toBe(1)
  })

  it("rests as long as the processor asks, a minute at most, also when it asks during the rest", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 0, 20 * second)
    expect(limits.coolDownUntil(down)).toBe(20 * second)
    limits.recordSilence(down, 10 * second, 15 * second)
    expect(limits.coolDownUntil(down)).toBe(25 * second)
    limits.recordSilence(down, 10 * second, 3_600 * second)
    expect(limits.coolDownUntil(down)).toBe(70 * second)
  })

  it("ends a rest that was set by a clock which ran ahead", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 40 * 86_400 * second)
    expect(limits.begin(down, 100)).toBe(true)
    expect(limits.coolDownUntil(down)).toBe(0)
    limits.recordSilence(down, 200)
    expect(limits.coolDownUntil(down)).toBe(200 + 2 * second)
  })

  it("sends one probe at first, and all that may be once that is answered", () => {
    const limits = new CompanyLimits(64)
    expect(beginAll(limits, healthy, 0)).toBe(1)
    expect(limits.isSilent(healthy)).toBe(false)
    expect(limits.coolDownUntil(healthy)).toBe(0)
    limits.recordAnswer(healthy, 100)
    expect(beginAll(limits, healthy, 100)).toBe(63)
  })

  it("of a company that was never called is neither unanswered nor at rest", () => {
    const limits = new CompanyLimits(64)
    expect(limits.isSilent(healthy)).toBe(false)
    expect(limits.coolDownUntil(healthy)).toBe(0)
  })

  it("sends one probe after a rest, and half as many as before once that is answered", () => {
    const limits = new CompanyLimits(64)
    probe(limits, down, 0)
    expect(limits.isSilent(down)).toBe(true)
    expect(beginAll(limits, down, second)).toBe(1)
    limits.recordAnswer(down, second)
    expect(limits.isSilent(down)).toBe(false)
    expect(beginAll(limits, down, second)).toBe(31)
  })

  it("is halved downwards where it is odd", () => {
    const limits = new CompanyLimits(14)
    probe(limits, down, 0)
    probe(limits, down, limits.coolDownUntil(down))
    const now = limits.coolDownUntil(down)
    expect(limits.begin(down, now)).toBe(true)
    limits.recordAnswer(down, now)
    limits.end(down)
    expect(beginAll(limits, down, now)).toBe(4)
  })

  it("takes many calls without an answer at once for one, and an answer from before the rest for none", () => {
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

  it("is full again after as many answers as were missing", () => {
    const limits = new CompanyLimits(8)
    probe(limits, down, 0)
    for (let time = 0; time < 3; time++) limits.recordAnswer(down, second)
    // Until then it gets no more than half of all places.
    expect(beginAll(limits, down, second, 20)).toBe(4)
    limits.recordAnswer(down, second)
    expect(beginAll(limits, down, second, 20)).toBe(4)
    expect(limits.underWay).toBe(8)
  })

  it("is its own: another company is asked as before", () => {
    const limits = new CompanyLimits(64)
    limits.recordAnswer(healthy, 0)
    probe(limits, down, 0)
    expect(beginAll(limits, healthy, 0, 64)).toBe(64)
  })

  it("leaves half of the places to those that answer, however many companies' processors hang", () => {
    const limits = new CompanyLimits(64)
    limits.recordAnswer(healthy, 0)
    expect(companies(100).filter((issuer) => limits.begin(issuer, 0))).toHaveLength(32)
    expect(beginAll(limits, healthy, 0, 32)).toBe(32)
    expect(limits.underWay).toBe(64)
  })

  it("is kept for the 10 000 companies that were called last, and for 20 000 at most", () => {
    const limits = new CompanyLimits(64)
    const called = companies(20_050)
    for (const issuer of called) probe(limits, issuer, 0)
    expect(limits.keptCount).toBeLessThanOrEqual(20_000)
    expect(limits.coolDownUntil("00000000000049" as Cnpj)).toBe(0)
    for (const issuer of called.slice(-10_000)) expect(limits.coolDownUntil(issuer)).toBe(second)
  })
})

import { describe, expect, it } from "vitest"
import type { Cnpj } from "../../../src/party/Cnpj.ts"
import { makePaces } from "../../../src/service/reconcile/paces.ts"

type Paces = ReturnType<typeof makePaces>

const second = 1_000
const companies = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padStart(14, "0") as Cnpj)
const down = "11222333000181" as Cnpj
const well = "12345678000195" as Cnpj

/** Begins as many checks as it may; how many. */
const beginAll = (paces: Paces, issuer: Cnpj, now: number, most = 100): number => {
  let begun = 0
  while (begun < most && paces.begin(issuer, now)) begun += 1
  return begun
}

/** One check that is begun and not answered. */
const probe = (paces: Paces, issuer: Cnpj, now: number, askedMs?: number): void => {
  expect(paces.begin(issuer, now)).toBe(true)
  paces.silent(issuer, now, askedMs)
  paces.end(issuer)
}

describe("a company's pace", () => {
  it("rests 1 s after a silence, twice as long after each more, and a minute at most", () => {
    const paces = makePaces(64)
    let now = 0
    const rests = []
    for (let time = 0; time < 8; time++) {
      probe(paces, down, now)
      rests.push(paces.restsUntil(down) - now)
      expect(paces.begin(down, paces.restsUntil(down) - 1)).toBe(false)
      now = paces.restsUntil(down)
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * second))
  })

  it("rests as long as the processor asks, a minute at most, also when it asks during the rest", () => {
    const paces = makePaces(64)
    probe(paces, down, 0, 20 * second)
    expect(paces.restsUntil(down)).toBe(20 * second)
    paces.silent(down, 10 * second, 15 * second)
    expect(paces.restsUntil(down)).toBe(25 * second)
    paces.silent(down, 10 * second, 3_600 * second)
    expect(paces.restsUntil(down)).toBe(70 * second)
  })

  it("ends a rest that was set by a clock which ran ahead", () => {
    const paces = makePaces(64)
    probe(paces, down, 40 * 86_400 * second)
    expect(paces.begin(down, 100)).toBe(true)
    expect(paces.restsUntil(down)).toBe(0)
    paces.silent(down, 200)
    expect(paces.restsUntil(down)).toBe(200 + 2 * second)
  })

  it("sends one probe at first, and all that may be once that is answered", () => {
    const paces = makePaces(64)
    expect(beginAll(paces, well, 0)).toBe(1)
    paces.answered(well, 100)
    expect(beginAll(paces, well, 100)).toBe(63)
  })

  it("sends one probe after a rest, and half as many as before once that is answered", () => {
    const paces = makePaces(64)
    probe(paces, down, 0)
    expect(paces.isSilent(down)).toBe(true)
    expect(beginAll(paces, down, second)).toBe(1)
    paces.answered(down, second)
    expect(paces.isSilent(down)).toBe(false)
    expect(beginAll(paces, down, second)).toBe(31)
  })

  it("takes many silences at once for one, and an answer from before the rest for none", () => {
    const paces = makePaces(64)
    paces.answered(down, 0)
    expect(beginAll(paces, down, 0, 64)).toBe(64)
    for (let time = 0; time < 64; time++) {
      paces.silent(down, 0)
      paces.end(down)
    }
    expect(paces.restsUntil(down)).toBe(second)
    paces.answered(down, 500)
    expect(beginAll(paces, down, second)).toBe(1)
    paces.answered(down, second)
    expect(beginAll(paces, down, second)).toBe(31)
  })

  it("is full again after as many answers as were missing", () => {
    const paces = makePaces(8)
    probe(paces, down, 0)
    for (let time = 0; time < 4; time++) paces.answered(down, second)
    expect(beginAll(paces, down, second, 20)).toBe(8)
  })

  it("is its own: another company is asked as before", () => {
    const paces = makePaces(64)
    paces.answered(well, 0)
    probe(paces, down, 0)
    expect(beginAll(paces, well, 0, 64)).toBe(64)
  })

  it("leaves half of the room to those that answer, however many companies' processors hang", () => {
    const paces = makePaces(64)
    paces.answered(well, 0)
    expect(companies(100).filter((issuer) => paces.begin(issuer, 0))).toHaveLength(32)
    expect(beginAll(paces, well, 0, 32)).toBe(32)
    expect(paces.underWay()).toBe(64)
  })

  it("is remembered of 10 000 companies", () => {
    const paces = makePaces(64)
    for (const issuer of companies(10_050)) paces.silent(issuer, 0)
    expect(paces.remembered()).toBe(10_000)
    expect(paces.restsUntil("00000000000049" as Cnpj)).toBe(0)
    expect(paces.restsUntil("00000000000050" as Cnpj)).toBe(second)
  })
})

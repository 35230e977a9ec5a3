import * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { chargeReader } from "../../src/wire/Cob.ts"
import { parseJson } from "../../src/wire/parseJson.ts"
import { readPayment, readPaymentPage } from "../../src/wire/PixBody.ts"
import { readRefusal } from "../../src/wire/Problem.ts"
import { maxClaims, readNotice, scanNotice } from "../../src/wire/Webhook.ts"

const payment = { endToEndId: "E".padEnd(32, "0"), valor: "1.00", horario: "2026-11-20T15:01:02.003Z" }
const devolucao = { id: "1", valor: "1.00", status: "DEVOLVIDO" }

const counted = (items: ReadonlyArray<unknown>) => {
  const readIndexes = new Set<number>()
  const list = new Proxy([...items], {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) readIndexes.add(Number(key))
      return Reflect.get(target, key, receiver)
    },
  })
  return { list, readCount: () => readIndexes.size }
}

const times = <A>(count: number, item: A): ReadonlyArray<A> => Array.from({ length: count }, () => item)

describe("a notice", () => {
  it("is rejected for too many claims before its first claim is read", () => {
    const { list, readCount } = counted(times(maxClaims + 1, 1))
    for (const body of [{ pix: list }, list, [{ pix: list }]]) {
      expect(readNotice(body)).toEqual(Result.fail("tooMany"))
      expect(readCount()).toBe(0)
    }
    const halves = { pix: times(maxClaims / 2 + 1, payment) }
    expect(readNotice([halves, halves])).toEqual(Result.fail("tooMany"))
  })

  it("is scanned, if its form is unknown, for at most as many values as the largest known notice has, at any depth", () => {
    const many = counted(times(30_000, "x"))
    scanNotice({ deep: [many.list] })
    expect(many.readCount()).toBeLessThan(20_000)
    const deep: unknown = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000))
    expect(scanNotice(deep)).toEqual({ names: ["a"], txids: [] })
    const txids = times(2_000, 0).map((_, n) => String(n).padStart(35, "z"))
    expect(scanNotice(txids).txids).toHaveLength(maxClaims)
    expect(scanNotice(txids.join(" ")).txids).toHaveLength(maxClaims)
    const named = Object.fromEntries(
      txids.map((txid, n) => [`${txid.slice(0, 5)}${String.fromCharCode(97 + (n % 26)).repeat(1 + (n % 30))}`, n]),
    )
    expect(scanNotice(named).names.length).toBeLessThanOrEqual(50)
  })

  it("is read claim by claim if it has the maximum number of claims", () => {
    const claims = Result.getOrThrow(readNotice({ pix: [...times(maxClaims - 1, 1), payment] }))
    expect(claims.filter((claim) => claim !== undefined)).toEqual([
      { endToEndId: payment.endToEndId, returnIds: [], returnStates: [], hasUnnamedReturns: false },
    ])
    expect(claims).toHaveLength(maxClaims)
  })
})

describe("a bank's answer", () => {
  it("is read up to its first wrong field, which the error names", () => {
    const read = readPayment({ ...payment, endToEndId: "", valor: "x", horario: "y" })
    expect(Result.isFailure(read) && read.failure.fields).toEqual(["endToEndId"])
  })

  it("is rejected for a list with too many elements before any of them is read, at any depth", () => {
    const { list, readCount } = counted(times(10_001, payment))
    const page = readPaymentPage({ pix: list })
    expect(Result.isFailure(page) && page.failure.message).toBe(
      "The bank's answer can't be read at pix: it differs from API Pix.",
    )
    expect(readCount()).toBe(0)
    const returns = counted(times(10_001, devolucao))
    expect(Result.isFailure(readPayment({ ...payment, devolucoes: returns.list }))).toBe(true)
    expect(returns.readCount()).toBe(0)
    expect(Result.isSuccess(readPaymentPage({ pix: times(10_000, payment) }))).toBe(true)
  })

  it("can be nested very deeply", () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000))
    const page = Result.getOrThrow(readPaymentPage({ pix: [deep, { ...payment, endToEndId: deep }, payment] }))
    expect(page.payments).toHaveLength(1)
    expect(page.flaws).toHaveLength(2)
    expect(page.marks).toHaveLength(3)
  })

  it("is read only up to its twentieth violation if it is a refusal", () => {
    const { list, readCount } = counted(times(10_001, { razao: "x" }))
    expect(Redacted.value(readRefusal(400, { title: "t", violacoes: list }).reason)).toBe("t; x")
    expect(readCount()).toBe(20)
  })

  it("is read without a look at its unknown fields", () => {
    let readCount = 0
    const others = { enumerable: true, get: () => (readCount += 1) }
    expect(Result.isSuccess(readPayment(Object.defineProperty({ ...payment }, "others", others)))).toBe(true)
    expect(readCount).toBe(0)
  })

  it.each(["null", "[]", "1", '"x"'])("is rejected by every reader if it is the JSON %s", (text) => {
    const json = Option.getOrThrow(parseJson(text))
    expect(Result.isFailure(readPaymentPage(json))).toBe(true)
    expect(Result.isFailure(chargeReader([])(json))).toBe(true)
    if (text !== "[]") expect(readNotice(json)).toEqual(Result.fail("malformed"))
  })

  it("doesn't have the fields that its object only inherits", () => {
    expect(Result.isFailure(readPayment(Object.create(payment)))).toBe(true)
  })
})

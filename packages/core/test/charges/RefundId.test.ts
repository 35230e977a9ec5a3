import { describe, expect, it } from "vitest"
import type { Txid } from "../../src/charges/rules/ChargeId.ts"
import {
  attemptNumber,
  chargeRefundId,
  exceptionRefundId,
  isSameRefund,
  ownRefundId,
  partialRefundId,
} from "../../src/charges/rules/RefundId.ts"

const txid = "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c" as Txid
const payment = { endToEndId: "E1234567820260603150012345678abc" }
// By sha256sum, of "e1234567820260603150012345678abc my key": a release that made another would return the part twice.
const part = "28b86be4b8bef87188229932f39e46"

it("the ids of refunds are the same in every process and release", () => {
  expect([1, 99].map((attempt) => chargeRefundId({ txid }, attempt))).toEqual([`${txid}R1`, `${txid}R99`])
  expect([1, 100].map((attempt) => exceptionRefundId(payment, attempt))).toEqual([
    `${payment.endToEndId}X0`,
    `${payment.endToEndId}X99`,
  ])
  const ids = [1, 36, 1_679_615].map((attempt) => partialRefundId(payment, "my key", attempt))
  expect(ids).toEqual([`${part}P1`, `${part}P10`, `${part}Pzzzz`])
  expect(ids.map(attemptNumber)).toEqual([1, 36, 1_679_615])
})

it("attempts at one part are the same refund, in either case, and of any other refund the whole id counts", () => {
  const isSame = (a: string, b: string) => isSameRefund({ id: a }, { id: b })
  expect(isSame(`${part}P1`, `${part.toUpperCase()}pzzzz`)).toBe(true)
  for (const [a, b] of [
    [`${part}P1`, `${part.replace("2", "3")}P1`],
    [`${part}P1`, `${part}P12345`],
    [`${part}P1`, `${part}R1`],
    [`${part}P1`, `0${part}P1`],
    [`${part}P1`, `${part}P1-`],
    [`${txid}R1`, `${txid}R2`],
    ["D12345678202606031600abcdefghijk", "D12345678202606031600abcdefghijl"],
  ] as const)
    expect([a, b, isSame(a, b)]).toEqual([a, b, false])
  expect(isSame(`${txid}R1`, `${txid.toUpperCase()}r1`)).toBe(true)
})

describe("a return is known as ours by its id", () => {
  it.each([
    `${txid}R1`,
    `${txid}R10`,
    `${part}P1`,
    `${part}Pzzzz`,
    `${txid}P1`,
    `${txid}Pz9`,
    `${payment.endToEndId}X0`,
    `${payment.endToEndId}X12`,
  ])("of a form that we write, in any case: %s", (id) => {
    for (const written of [id, id.toLowerCase(), id.toUpperCase()]) expect(ownRefundId(written, payment)).toBe(id)
  })

  it.each([
    `${txid}R`,
    `${txid}R1a`,
    `${txid}0R1`,
    `${txid.slice(1)}R1`,
    `g${txid.slice(1)}R1`,
    `${part}P`,
    `${part}P12345`,
    `${part}P1-`,
    `x${part}P1`,
    `${txid}P123`,
    `${txid}X0`,
    `${payment.endToEndId}X`,
    `${payment.endToEndId}X1a`,
    `${payment.endToEndId}0X1`,
    `a${payment.endToEndId}X1`,
    "D12345678202606031600abcdefghijk",
    "",
  ])("and as others' by any other: %s", (id) => {
    expect(ownRefundId(id, payment)).toBeUndefined()
  })
})

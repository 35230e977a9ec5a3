import { describe, expect, it } from "vitest"
import {
  attemptNumber,
  chargeRefundId,
  exceptionRefundId,
  isSameRefund,
  ownRefundId,
  partialRefundId,
} from "../../src/model/charge/Refund.ts"

const payment = { endToEndId: "E1234567820260603150012345678abc" }
// sha256sum of "e1234567820260603150012345678abc my key". With another id, the part could be returned twice.
const part = "28b86be4b8bef87188229932f39e46"
// sha256sum of "e1234567820260603150012345678abc all of it". No part has this key, because keys contain no space.
const whole = "440d16e036bf5865f3577649866f32"

it("the ids of refunds are the same in every process and release", () => {
  expect([1, 1_679_615].map((attempt) => chargeRefundId(payment, attempt))).toEqual([`${whole}P1`, `${whole}Pzzzz`])
  expect([1, 100].map((attempt) => exceptionRefundId(payment, attempt))).toEqual([
    `${payment.endToEndId}X0`,
    `${payment.endToEndId}X99`,
  ])
  const ids = [1, 36, 1_679_615].map((attempt) => partialRefundId(payment, "my key", attempt))
  expect(ids).toEqual([`${part}P1`, `${part}P10`, `${part}Pzzzz`])
  expect(ids.map(attemptNumber)).toEqual([1, 36, 1_679_615])
})

it("isSameRefund is true for attempts at one refund of a charge; it compares other ids whole", () => {
  const isSame = (a: string, b: string) => isSameRefund({ id: a }, { id: b })
  expect(isSame(`${part}P1`, `${part.toUpperCase()}pzzzz`)).toBe(true)
  for (const [a, b] of [
    [`${part}P1`, `${part.replace("2", "3")}P1`],
    [`${part}P1`, `${part}P12345`],
    [`${part}P1`, `${part}R1`],
    [`${part}P1`, `0${part}P1`],
    [`${part}P1`, `${part}P1-`],
    [`${part}P1`, `${whole}P1`],
    [`${payment.endToEndId}X1`, `${payment.endToEndId}X2`],
    ["D12345678202606031600abcdefghijk", "D12345678202606031600abcdefghijl"],
  ] as const)
    expect([a, b, isSame(a, b)]).toEqual([a, b, false])
  expect(isSame(`${whole}P1`, `${whole}P2`)).toBe(true)
})

describe("a return", () => {
  it.each([`${whole}P1`, `${part}P1`, `${part}Pzzzz`, `${payment.endToEndId}X0`, `${payment.endToEndId}X12`])(
    "is ours if its id has our form, in capitals or small letters: %s",
    (id) => {
      for (const written of [id, id.toLowerCase(), id.toUpperCase()]) expect(ownRefundId(written, payment)).toBe(id)
    },
  )

  it.each([
    `${part}R1`,
    `${part}0P1`,
    `${part.slice(1)}P1`,
    `g${part.slice(1)}P1`,
    `${part}P`,
    `${part}P12345`,
    `${part}P1-`,
    `x${part}P1`,
    `${payment.endToEndId}X`,
    `${payment.endToEndId}X1a`,
    `${payment.endToEndId}0X1`,
    `a${payment.endToEndId}X1`,
    "D12345678202606031600abcdefghijk",
    "",
  ])("is not ours if its id has another form: %s", (id) => {
    expect(ownRefundId(id, payment)).toBeUndefined()
  })
})

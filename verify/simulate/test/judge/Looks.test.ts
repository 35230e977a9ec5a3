import type { PaymentException } from "@pixcharge/core/charges"
import { expect, it } from "vitest"
import type { Ask } from "../../judge/Evidence.ts"
import { Looks } from "../../judge/Looks.ts"
import { issuer } from "./accounts.ts"

const [minuteMs, hourMs] = [60_000, 3_600_000]
const refunding = {
  payment: { issuer, endToEndId: "E1" },
  state: { _tag: "Refunding", refund: { requestedAt: 0 } },
  version: 1,
  checkAt: 2 * hourMs,
} as unknown as PaymentException

const judgePostponed = (see: (looks: Looks) => void) => {
  const looks = new Looks()
  const call = { port: "checks", method: "claimExceptions", args: [refunding, 2 * hourMs], answer: [refunding] }
  looks.recordClaims(call, "h", minuteMs)
  see(looks)
  return looks.judgeSchedule(call, refunding, "h", minuteMs + 1_000, -Infinity).map(({ what }) => what)
}

const ask = (method: string, about: unknown): Ask => ({
  caller: "h",
  method,
  args: [about],
  requestedAt: minuteMs,
  clockAt: minuteMs,
})

it("the check of a refund is postponed only after a call for it, or a list that the bank didn't answer", () => {
  expect(judgePostponed((looks) => looks.begin(ask("lookupRefund", { endToEndId: "E1" })))).toEqual([])
  expect(judgePostponed((looks) => looks.end(ask("payments", issuer), false, minuteMs))).toEqual([])
  const unasked = [expect.stringContaining("is postponed, but the bank was not asked")]
  expect(judgePostponed(() => undefined)).toEqual(unasked)
  expect(judgePostponed((looks) => looks.begin(ask("payments", issuer)))).toEqual(unasked)
  expect(judgePostponed((looks) => looks.end(ask("payments", issuer), true, minuteMs))).toEqual(unasked)
  expect(judgePostponed((looks) => looks.end(ask("payments", "another"), false, minuteMs))).toEqual(unasked)
})

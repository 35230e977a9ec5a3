import type { Ledger } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { orderRules, type SeenOrder } from "../../judge/ownerRules.ts"
import { RefundCalls } from "../../judge/RefundCalls.ts"
import { txidOf } from "../../judge/names.ts"
import { issuer, openAccount } from "./accounts.ts"

const endToEndId = "1".repeat(32)
const txid = txidOf(issuer, "00000001-0000-4000-8000-000000000000")
const ask = { caller: "a", requestedAt: 0, clockAt: 0, isAlone: true }
const order = { issuer, endToEndId, refundId: `${"a".repeat(30)}P1` }

/** Judges a charge's refund after answers that show its payment, which was made to another company's key. */
const judgeAfter = (...answers: ReadonlyArray<readonly [method: "lookup" | "payments", pixKey?: string]>) => {
  const calls = new RefundCalls()
  for (const [method, pixKey] of answers) {
    const shown = [{ endToEndId, ...(pixKey !== undefined && { pixKey }) }]
    const answer = method === "lookup" ? { payments: shown } : { items: shown }
    calls.recordAnswer({ ...ask, method, args: [{}], answer })
  }
  const accounts = openAccount()
  const payment = { issuer, endToEndId, txid, pixKey: "another's", paidAt: 0, returns: [] }
  const ledger = { payments: new Map([[endToEndId, payment]]), charges: new Map() } as unknown as Ledger
  const hidesKey = calls.hidesKey("a", order as never)
  const seen = { method: "refund", args: [order], accounts, ledger, now: 1, lookedAfter: 0, hidesKey }
  return orderRules.refundsFollowRequests?.(seen as SeenOrder)
}

describe("a refund of a charge's payment to another company's key", () => {
  const wrong = [expect.stringContaining("shows under another company's key")]

  it("is wrong if the look-up before it shows the key", () => {
    expect(judgeAfter(["lookup", "another's"])).toEqual(wrong)
    expect(judgeAfter(["lookup"], ["lookup", "another's"])).toEqual(wrong)
    expect(judgeAfter(["payments"])).toEqual(wrong)
  })

  it("is right if only a list shows the key", () => {
    expect(judgeAfter(["payments", "another's"], ["lookup"], ["payments", "another's"])).toEqual([])
  })
})

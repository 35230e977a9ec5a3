import { describe, expect, it } from "vitest"
import type { Ledger } from "@pixcharge/simulated-bank"
import { issuer, openAccount, other } from "./accounts.ts"
import { orderRules, type SeenOrder } from "../../judge/ownerRules.ts"
import { RefundCalls } from "../../judge/RefundCalls.ts"
import { txidOf } from "../../judge/names.ts"

/** The first company's key moves to the second at 20 and back at 40. */
const moveKey = (until = 50) => {
  const accounts = openAccount()
  if (until > 20) accounts.moveKey("own", other, 20)
  if (until > 40) accounts.moveKey("own", issuer, 40)
  return accounts
}

describe("a key that moves between two companies of an account", () => {
  it.each([
    [50, 10, [issuer, other]],
    [50, 30, [issuer, other]],
    [50, 45, [issuer]],
    [30, 25, [other]],
  ])("until %i, gives a payment of %i to any holder since then", (until, paidAt, owners) => {
    expect(moveKey(until).owners({ issuer, pixKey: "own", paidAt })).toEqual(owners)
  })

  it.each([
    ["now", 30, undefined, true],
    ["since it moved", 30, 21, true],
    ["since before it moved", 30, 19, false],
    ["now that it is back", 50, undefined, false],
    ["since before it came back", 50, 30, false],
  ])("shows whether the key is another company's %s", (_, until, then, isAnothers) => {
    expect(moveKey(until).isKeyOfAnother(issuer, "own", then)).toBe(isAnothers)
  })

  it.each([
    [10, 19, false],
    [30, 19, true],
    [50, 30, true],
    [50, 41, false],
  ])("at %i can seem another company's since %i: %s", (until, then, canSeem) => {
    expect(moveKey(until).canSeemOfAnother(issuer, "own", then)).toBe(canSeem)
  })

  it("belongs to no other company if the bank hides it", () => {
    const accounts = openAccount(false)
    accounts.moveKey("another's", issuer, 20)
    expect(accounts.canSeemOfAnother(other, "another's", 10)).toBe(false)
    expect(accounts.isKeyOfAnother(other, "another's")).toBe(false)
    expect(accounts.owners({ issuer, pixKey: "another's", paidAt: 10 })).toEqual([issuer, other])
  })
})

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

import type { Charge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Ledger } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { finalRules } from "../../judge/finalRules.ts"
import type { SeenCompany } from "../../judge/finalEvents.ts"
import { issuer, openAccount, other } from "./accounts.ts"

const [paidAt, amountCents, endToEndId] = [5_000, 100 as Cents, "E1"]
const payment = { issuer, endToEndId, amountCents, paidAt, recordedAt: paidAt, late: false, otherAmount: false }
const returned = { issuer, endToEndId, id: "D1", kind: "outside", amountCents, returnedAt: paidAt } as const
const open = { payment, reason: "unmatched", state: { _tag: "Open" }, version: 1, returns: [returned] } as const

const judgeStates = (
  charges: ReadonlyArray<object>,
  payments: ReadonlyArray<object>,
  exceptions: ReadonlyArray<object>,
) => finalRules.stateFollowsFromMoney?.({ charges, payments, exceptions } as unknown as SeenCompany) ?? []

it.each([
  ["is wrong if the compared list contains the payment", [paidAt], 1],
  ["is accepted if it was paid before the company's first charge", [paidAt + 1], 0],
  ["is accepted if it is of a company without charges", [], 0],
])("an open exception with a returned payment %s", (_, createdAt, count) => {
  const charges = createdAt.map((at) => ({ _tag: "Cancelled", id: "c", txid: "c", createdAt: at }))
  const wrong = ["exception E1 is Open, but its whole payment was returned"]
  expect(judgeStates(charges, [payment], [open])).toEqual(wrong.slice(0, count))
})

describe("a charge of two payments", () => {
  const [first, second] = ["1".repeat(32), "2".repeat(32)]

  /**
   * Judges a charge of two payments that the first settles. A refund with the given id returned the payment, if there
   * is an id.
   */
  const judgeSettled = (settlingId: string, otherId?: string): ReadonlyArray<string> => {
    const unsettling = { ...payment, endToEndId: second, txid: "c" }
    const settling = { ...payment, endToEndId: first, txid: "c" }
    const back = (of: string, id?: string) => (id === undefined ? [] : [{ ...returned, endToEndId: of, id }])
    const of = { _tag: "Refunded", id: "c", txid: "c", createdAt: 0 }
    const charge = { ...of, payment: settling, returns: back(first, settlingId) }
    const exception = {
      ...open,
      payment: unsettling,
      state: { _tag: "Resolved" },
      returns: back(second, otherId),
    }
    return judgeStates([charge], [settling, unsettling], [exception])
  }

  it("is wrong if its settling payment was returned as an exception and its other payment wasn't", () => {
    expect(judgeSettled(`${first}X0`)).toEqual(["c is settled by an exception's payment"])
  })

  it("is right if both payments were returned as exceptions, or the settling payment was returned otherwise", () => {
    expect(judgeSettled(`${first}X1`, `${second}X0`)).toEqual([])
    expect(judgeSettled("D1")).toEqual([])
  })
})

/**
 * Finds the violations of a paid charge and an open exception whose refunds were requested again. The bank shows
 * `pixKey`.
 */
const findRefused = (pixKey: string, showsKeys = true, asking = issuer): ReadonlyArray<string> => {
  const second = { ...payment, endToEndId: "E2" }
  const seen: Partial<SeenCompany> = {
    issuer,
    ledger: { payments: new Map([payment, second].map((one) => [one.endToEndId, { pixKey }])) } as unknown as Ledger,
    accounts: openAccount(showsKeys),
    charges: [{ _tag: "Paid", txid: "c", payment, returns: [] } as unknown as Charge],
    exceptions: [{ ...open, payment: second, returns: [] }],
    repeatedRequests: new Set(["c", `${asking} E2`]),
    now: paidAt,
  }
  return finalRules.refundsFollowRequests?.(seen as SeenCompany) ?? []
}

describe("a refund that is requested again but not made", () => {
  it.each([
    ["own", true],
    ["another's", false],
  ])("is wrong if the bank has the key %s (shown: %s)", (pixKey, showsKeys) => {
    expect(findRefused(pixKey, showsKeys)).toEqual([
      "c was requested again, but is not refunded",
      "exception E2 was requested again, but is not refunded",
    ])
  })

  it("is right if another company requested it", () => {
    expect(findRefused("own", true, other)).toEqual(["c was requested again, but is not refunded"])
  })

  it("is right if the bank shows another company's key", () => {
    expect(findRefused("another's")).toEqual([])
  })
})

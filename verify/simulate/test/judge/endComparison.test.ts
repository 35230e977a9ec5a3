import type { Comparison } from "@pixcharge/core/internal"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { Accounts } from "../../judge/Accounts.ts"
import { Answers } from "../../judge/Answers.ts"

const issuer = "11222333000181" as Cnpj
const pixKey = "key@example.com"
const until = 1_000_000
const empty: Comparison = { rows: [], differences: 0, matches: 0, unreadable: 0, others: [] }

/** Violations of an empty comparison until now, with a payment this long ago. */
const findViolations = (agoMs: number, listsAfterMs: number): ReadonlyArray<string> => {
  const violations: Array<string> = []
  const amountCents = 100 as Cents
  const paid: LedgerPayment = { issuer, endToEndId: "E1", amountCents, pixKey, paidAt: until - agoMs, returns: [] }
  const answers = new Answers({
    ledger: {
      charges: new Map(),
      locations: new Map(),
      payments: new Map([["E1", paid]]),
      requested: [],
      webhooks: new Map(),
    },
    accounts: new Accounts([{ cnpj: issuer, holder: issuer, pixKey }], true),
    listsAfterMs,
    report: (rule) => void violations.push(rule),
    mustBeStored: { charge: () => undefined, exception: () => undefined },
  })
  answers.endComparison(empty, issuer, { from: 0, until })
  return violations
}

describe("a payment that a comparison until now lacks", () => {
  it.each([
    ["within a bank clock's accuracy", 10_000, 0],
    ["within the bank's listing delay", 599_000, 600_000],
  ])("is excused if paid %s", (_, agoMs, listsAfterMs) => {
    expect(findViolations(agoMs, listsAfterMs)).toEqual([])
  })

  it.each([
    ["a bank clock's accuracy", 15_000, 0],
    ["the bank's listing delay", 601_000, 600_000],
  ])("is reported if paid earlier than %s", (_, agoMs, listsAfterMs) => {
    expect(findViolations(agoMs, listsAfterMs)).toEqual(["comparedMeansRecorded"])
  })
})

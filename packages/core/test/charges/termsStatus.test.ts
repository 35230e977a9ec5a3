import { type Charge, type TermsRow, termsStatus } from "@pixcharge/core/charges"
import {
  aCancelledCharge,
  aPaidCharge,
  aPendingCharge,
  aRefundingCharge,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"
import { pickTerms } from "../../src/model/charge/TermsRow.ts"

const minute = 60_000
const pending = aPendingCharge()
const row = (number: number, more: Partial<TermsRow> = {}): TermsRow => ({
  ...pickTerms(pending),
  number,
  requestedAt: fixtureNow,
  ...more,
})
const inForceAt = fixtureNow
const first = row(1, { inForceAt })

const statuses = (charge: Charge, now = fixtureNow + minute) =>
  charge.termsRows?.map((one) => termsStatus(charge, one, now))

const withRows = (...termsRows: ReadonlyArray<TermsRow>) => ({ ...pending, termsRows })

describe("the status of terms", () => {
  it("is requested while the bank can still answer", () => {
    expect(statuses(withRows(first, row(2)))).toEqual(["inForce", "requested"])
    expect(statuses(withRows(first, row(2)), pending.payableUntil - 1)).toEqual(["inForce", "requested"])
    const longer = row(2, { payableUntil: pending.payableUntil + minute })
    expect(statuses(withRows(first, longer), pending.payableUntil + 1)).toEqual(["inForce", "requested"])
  })

  it.each([
    ["paid", aPaidCharge],
    ["being refunded", (charge: typeof pending) => aRefundingCharge(aPaidCharge(charge))],
    ["cancelled", aCancelledCharge],
  ])("is unanswered once the charge is %s", (_, end) => {
    expect(statuses(end(withRows(first, row(2))))).toEqual(["inForce", "unanswered"])
    expect(statuses(end(withRows(first, row(2, { refusedAt: 5 }))))).toEqual(["inForce", "refused"])
  })

  it("is unanswered once the terms' last moment to pay has passed", () => {
    expect(statuses(withRows(first, row(2)), pending.payableUntil)).toEqual(["inForce", "unanswered"])
    const shorter = row(2, { payableUntil: fixtureNow + minute })
    expect(statuses(withRows(first, shorter))).toEqual(["inForce", "unanswered"])
  })

  it("is unanswered once later terms are in force, requested or refused", () => {
    expect(statuses(withRows(first, row(2), row(3, { inForceAt })))).toEqual(["replaced", "unanswered", "inForce"])
    expect(statuses(withRows(first, row(2), row(3)))).toEqual(["inForce", "unanswered", "requested"])
    expect(statuses(withRows(first, row(2), row(3, { refusedAt: 5 })))).toEqual(["inForce", "unanswered", "refused"])
  })
})

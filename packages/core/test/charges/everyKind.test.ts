import type { Charge, EventKind } from "@pixcharge/core/charges"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import { cycleSchedule, newCycleCharge } from "@pixcharge/core/recurrence"
import {
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundingCharge,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { type ChargeNews, newsEvent } from "../../src/model/charge/chargeEvents.ts"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import { askAmount, byCommand, type RecurrenceMove } from "../../src/model/recurrence/decideRecurrence.ts"
import { anApproved, anAttempt, inBrasilia } from "../recurrence/recurring.ts"

const now = fixtureNow + 300_000

const pending = aPendingCharge()
const paid = aPaidCharge(pending)
const refunding = aRefundingCharge(paid)
const { id: refundId } = refunding.refund
const { amountCents } = paid.payment

const recurrence = anApproved()
const schedule = cycleSchedule(recurrence, 1, nationalBankHolidays)
if (schedule === undefined) throw new Error("expected a window of the cycle")
const given = { amountCents: cents(4990), generation: 1, transactionId: "T1" }
const ofCycle = newCycleCharge(recurrence, schedule, given, inBrasilia("2026-11-30", 9))

const moves: { readonly [Kind in ChargeNews["kind"]]: readonly [charge: Charge, command: Command] } = {
  paid: [pending, { _tag: "ConfirmPayment", payment: aPayment(pending) }],
  refunded: [
    refunding,
    { _tag: "FinishRefund", refundId, amountCents, outcome: { _tag: "Returned", returnedAt: now - 5 } },
  ],
  "refund-failed": [
    refunding,
    { _tag: "FinishRefund", refundId, amountCents, outcome: { _tag: "Rejected", reason: "conta encerrada" } },
  ],
  "part-refunded": [
    paid,
    { _tag: "RecordReturn", returned: { ...aReturn(paid.payment), amountCents: cents(700), kind: "outside" } },
  ],
  expired: [pending, { _tag: "RecordExpiry" }],
  cancelled: [pending, { _tag: "Cancel", by: "portal" }],
  "payment-scheduled": [
    ofCycle,
    { _tag: "RecordDebit", view: { status: "active", attempts: [anAttempt("scheduled")] } },
  ],
  "payment-failed": [ofCycle, { _tag: "RecordDebit", view: { status: "cancelled", by: "payer", attempts: [] } }],
}

const { approvedAt: _, ...offered } = { ...recurrence, _tag: "Offered", brCode: "000201" } as const
const { amountCents: __, ...ofAnyAmount } = recurrence
const view = { bankId: recurrence.bankId, status: "approved" } as const

type OtherKind = ChargeNews["kind"] | "exception" | "exception-returned" | "test"

/** A move of a recurrence for each kind that only recurrences publish. */
const recurrenceMoves: { readonly [Kind in Exclude<EventKind, OtherKind>]: RecurrenceMove } = {
  "recurrence-approved": byCommand({ _tag: "RecordView", view })(offered, now),
  "recurrence-ended": byCommand({ _tag: "RecordView", view: { ...view, status: "cancelled" } })(recurrence, now),
  "cycle-due": askAmount(schedule)(ofAnyAmount, now),
}

it.each(Object.entries(recurrenceMoves))("a move of a recurrence publishes %s", (kind, { news }) => {
  expect(news?.kind).toBe(kind)
})

it.each(Object.entries(moves))("a move of a charge publishes %s as its event", (kind, [charge, command]) => {
  const { next, news: [news] = [] } = Result.getOrThrow(decide(charge, command, now))
  expect(news?.kind).toBe(kind)
  const event = next && news && newsEvent(next, news, "Loja")
  expect(event).toMatchObject({ kind, issuer: charge.issuer, companyName: "Loja" })
  expect(event?.id).toMatch(/^evt_\w+[\w-]+$/)
})

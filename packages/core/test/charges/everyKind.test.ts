import type { Charge } from "@pixcharge/core/charges"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import { cycleSchedule, newCycleCharge } from "@pixcharge/core/recurrence"
import {
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundingCharge,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { type ChargeNews, newsEvent } from "../../src/model/charge/chargeEvents.ts"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import { anApproved, anAttempt, inBrasilia } from "../recurrence/recurring.ts"

const now = fixtureNow + 300_000

const pending = aPendingCharge()
const paid = aPaidCharge(pending)
const refunding = aRefundingCharge(paid)
const { id: refundId } = refunding.refund
const { amountCents } = paid.payment

const recurrence = anApproved()
const schedule = cycleSchedule(recurrence, 1, nationalBankHolidays)
if (schedule === undefined) throw new Error("no window")
const given = { amountCents: cents(4990), generation: 1, transactionId: "T1" }
const ofCycle = newCycleCharge(recurrence, schedule, given, inBrasilia("2026-11-30", 9))

/** A move that publishes each kind. */
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
  "payment-scheduled": [
    ofCycle,
    { _tag: "RecordDebit", view: { status: "active", attempts: [anAttempt("scheduled")] } },
  ],
  "payment-failed": [ofCycle, { _tag: "RecordDebit", view: { status: "cancelled", by: "payer", attempts: [] } }],
}

it.each(Object.entries(moves))(
  "%s is published with its move, as an event of the charge",
  (kind, [charge, command]) => {
    const { next, news } = Result.getOrThrow(decide(charge, command, now))
    expect(news?.kind).toBe(kind)
    const event = next && news && newsEvent(next, news, "Loja")
    expect(event).toMatchObject({ kind, issuer: charge.issuer, companyName: "Loja" })
    expect(event?.id).toMatch(/^evt_\w+[\w-]+$/)
  },
)

import type { LocalDate } from "@pixcharge/core/calendar"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import type { Charge, IssuedCharge, PendingCharge } from "@pixcharge/core/charges"
import type { ChargeChange } from "../../src/model/charge/ChargeChange.ts"
import { withoutPayer } from "../../src/model/charge/Charge.ts"
import { decide } from "../../src/model/charge/decide.ts"
import type { ChangeCommand } from "../../src/model/charge/decideChange.ts"
import { requestChange, requestRestore } from "../../src/model/charge/requestChange.ts"
import { bookPayment } from "../../src/model/charge/decideView.ts"
import { decideRepeat, newCharge } from "../../src/model/charge/Issue.ts"
import { parseChargeRequest } from "../../src/model/charge/ChargeRequest.ts"
import type { ShownTerms } from "../../src/model/charge/TermsRow.ts"
import {
  aCancelledCharge,
  aCompany,
  aPaidCharge,
  aPendingCharge,
  aRefundingCharge,
  cents,
  cpf,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const now = fixtureNow + 60_000
const minute = 60_000
const order = { company: aCompany(), holidays: nationalBankHolidays } as const
const pending = aPendingCharge({ amountCents: cents(1000), payer: { name: "Ana Souza", taxId: cpf("52998224725") } })

const request = (charge: Charge, change: ChargeChange, at = now, revision?: number) =>
  requestChange(charge, { ...order, change, by: "host", ...(revision !== undefined && { revision }) }, at)

const requested = (charge: Charge, change: ChargeChange, at = now, revision?: number): PendingCharge =>
  (Result.getOrThrow(request(charge, change, at, revision)).next ?? charge) as PendingCharge

const refusal = (charge: Charge, change: ChargeChange, at = now): string | undefined => {
  const result = request(charge, change, at)
  return Result.isFailure(result) ? result.failure._tag : undefined
}

const after = <C extends Charge>(charge: C, command: ChangeCommand, at = now): C =>
  (Result.getOrThrow(decide(charge, command, at)).next ?? charge) as C

const confirmed = <C extends Charge>(charge: C, number: number, at = now, revision?: number): C =>
  after(
    charge,
    { _tag: "FinishChange", number, outcome: { _tag: "Confirmed", ...(revision !== undefined && { revision }) } },
    at,
  )

const refused = <C extends Charge>(charge: C, number: number, at = now): C =>
  after(charge, { _tag: "FinishChange", number, outcome: { _tag: "Refused", reason: "no" } }, at)

const seen = (charge: PendingCharge, shown: Omit<ShownTerms, "amountCents"> & { amountCents: number }, at = now) =>
  after(charge, { _tag: "RecordTerms", shown: shown as ShownTerms, ...order }, at)

/** What the charge asks for, and until when. */
const asks = ({ amountCents, payableUntil }: Charge) => [amountCents, payableUntil]

const marks = (charge: Charge, paidAt: number) => {
  const notice = { issuer: charge.issuer, endToEndId: "E1", txid: charge.txid, amountCents: cents(1), paidAt }
  return bookPayment(charge, notice, { recordedAt: paidAt, isAmountDue: true }).late
}

const repeats = (charge: Charge, amountCents: number): unknown => {
  const input = { id: charge.id, amountCents, payer: { name: "Ana Souza", taxId: "52998224725" } }
  const answer = decideRepeat(charge, Result.getOrThrow(parseChargeRequest(input)), now)
  return Result.isSuccess(answer) ? (answer.success satisfies IssuedCharge).amountCents : answer.failure._tag
}

const dearer = { key: "a", amountCents: 1500 }
const live = requested(pending, dearer)
const changed = confirmed(live, 2)

describe("a requested change", () => {
  it("is the second row; the charge keeps its terms, and is checked in a minute", () => {
    const { next, termsRows, news } = Result.getOrThrow(request({ ...pending, lookUpAt: 1 }, dearer))
    expect(next).toMatchObject({ amountCents: 1000, version: 2, checkAt: now + minute })
    expect(next).not.toHaveProperty("lookUpAt")
    expect(termsRows).toMatchObject([
      { number: 1, amountCents: 1000, requestedAt: pending.createdAt, inForceAt: pending.createdAt },
      { number: 2, amountCents: 1500, requestedAt: now, key: "a", by: "host", payer: pending.payer },
    ])
    expect(termsRows?.[1]).not.toHaveProperty("inForceAt")
    expect(news).toBeUndefined()
  })

  it("is in force once the bank has confirmed it, and is then the charge's terms", () => {
    expect(asks(live)).toEqual(asks(pending))
    expect(changed).toMatchObject({ amountCents: 1500, version: 3 })
    expect(changed.termsRows).toMatchObject([{ amountCents: 1000 }, { amountCents: 1500, inForceAt: now }])
    expect(changed.payer).toEqual(pending.payer)
  })

  it("leaves the charge as it was if the bank refuses it", () => {
    const kept = refused(live, 2)
    expect(asks(kept)).toEqual(asks(pending))
    expect(kept.termsRows?.[1]).toMatchObject({ refusedAt: now, rejection: "no" })
    expect(requested(kept, { key: "b", amountCents: 700 }).termsRows).toHaveLength(3)
  })

  it("has one end", () => {
    expect(confirmed(changed, 2, now + 1)).toBe(changed)
    expect(refused(changed, 2, now + 1)).toBe(changed)
    expect(confirmed(refused(live, 2), 2, now + 1)).toEqual(refused(live, 2))
  })

  it("keeps another change from beginning until it has ended", () => {
    expect(refusal(live, { key: "b", amountCents: 700 })).toBe("ChangeUnderWay")
    expect(refusal(changed, { key: "b", amountCents: 700 })).toBeUndefined()
  })

  it("keeps another change from beginning only while it can still be sent", () => {
    const longer = aPendingCharge({ payableUntil: now + 10 * minute })
    const shorter = requested(longer, { key: "a", payableForSeconds: 120 })
    const other = { key: "b", amountCents: 700 }
    expect(refusal(shorter, other, fixtureNow + 119_999)).toBe("ChangeUnderWay")
    expect(refusal(shorter, other, fixtureNow + 120_000)).toBeUndefined()
  })

  it.each([
    ["requested", live],
    ["in force", changed],
    ["refused", refused(live, 2)],
    ["paid", aPaidCharge(changed)],
    ["changed again", confirmed(requested(changed, { key: "b", amountCents: 700, messageToPayer: "Oi" }), 3)],
  ])("is the same change under its key, with the same terms (%s)", (_, charge) => {
    expect(Result.getOrThrow(request(charge, dearer, now + 86_400_000))).toEqual({ payments: [], returns: [] })
    expect(refusal(charge, { ...dearer, amountCents: 1501 })).toBe("ChangeConflict")
    expect(refusal(charge, { ...dearer, messageToPayer: "Oi" })).toBe("ChangeConflict")
  })

  it("needs no call if it changes no term, and its key keeps that meaning", () => {
    const same = requested(pending, { key: "a", amountCents: 1000 })
    expect(same.termsRows).toMatchObject([{}, { inForceAt: now, amountCents: 1000 }])
    const later = confirmed(requested(same, { key: "b", amountCents: 700 }), 3)
    expect(requested(later, { key: "a", amountCents: 1000 })).toBe(later)
  })

  it.each([
    ["ChargeAlreadyPaid", aPaidCharge(pending), now],
    ["ChargeRefunding", aRefundingCharge(aPaidCharge(pending)), now],
    ["ChargeCancelled", aCancelledCharge(pending), now],
    ["ChargeExpired", pending, pending.payableUntil + 1],
    [undefined, pending, pending.payableUntil],
  ])("is refused as %s by the charge's state", (tag, charge, at) => {
    expect(refusal(charge, { ...dearer, payableForSeconds: 3_600 }, at)).toBe(tag)
  })

  it.each([
    ["a due date for an immediate charge", { dueDate: "2026-07-01" }, "InvalidChargeChange"],
    ["grace days for an immediate charge", { graceDays: 3 }, "InvalidChargeRequest"],
    ["an amount of zero", { amountCents: 0 }, "InvalidChargeRequest"],
    ["an end that has passed", { payableForSeconds: 60 }, "InvalidChargeChange"],
  ])("is invalid with %s", (_, named, tag) => {
    expect(refusal(pending, { key: "a", ...named }, now)).toBe(tag)
  })

  it("counts its validity from the charge's creation, and never shortens the watch", () => {
    const longer = requested(pending, { key: "a", payableForSeconds: 7_200 })
    expect(longer.watchUntil).toBe(fixtureNow + 7_200_000 + 86_400_000)
    expect(longer.payableUntil).toBe(pending.payableUntil)
    const inForce = confirmed(longer, 2)
    expect(inForce.payableUntil).toBe(fixtureNow + 7_200_000)
    const shorter = confirmed(requested(inForce, { key: "b", payableForSeconds: 120 }), 3)
    expect(asks(shorter)).toEqual([1000, fixtureNow + 120_000])
    expect(shorter.watchUntil).toBe(inForce.watchUntil)
  })

  it("ends after its charge was paid", () => {
    expect(confirmed(aPaidCharge(live), 2)).toMatchObject({ _tag: "Paid", amountCents: 1500 })
    expect(refused(aPaidCharge(live), 2)).toMatchObject({ _tag: "Paid", amountCents: 1000 })
  })
})

describe("a payment of a changed charge", () => {
  const end = pending.payableUntil
  const longer = requested(pending, { key: "a", payableForSeconds: 7_200 })

  it("is late only if it is late by all terms that weren't refused", () => {
    expect(marks(pending, end)).toBe(false)
    expect(marks(pending, end + 1)).toBe(true)
    expect(marks(longer, end + 1)).toBe(false)
    expect(marks(refused(longer, 2), end + 1)).toBe(true)
    const shorter = confirmed(requested(pending, { key: "a", payableForSeconds: 120 }), 2)
    expect(marks(shorter, end)).toBe(false)
    expect(marks(shorter, end + 1)).toBe(true)
  })
})

describe("a repeated order of a changed charge", () => {
  it("is compared with the first terms and with those in force, and gets those in force", () => {
    const again = confirmed(requested(changed, { key: "b", amountCents: 700 }), 3)
    expect([1000, 1500, 700].map((amount) => repeats(again, amount))).toEqual([700, "ChargeConflict", 700])
    expect([1000, 1500].map((amount) => repeats(live, amount))).toEqual([1000, "ChargeConflict"])
  })
})

describe("a look-up", () => {
  it("confirms the requested terms if the bank shows them", () => {
    expect(seen(live, { amountCents: 1500, revision: 1 })).toEqual(confirmed(live, 2, now, 1))
    expect(seen(live, { amountCents: 1000, revision: 0 })).toBe(live)
    expect(seen(live, { amountCents: 1000 })).toBe(live)
  })

  it("doesn't confirm a change that it can't see", () => {
    const text = requested(pending, { key: "a", messageToPayer: "Oi" })
    expect(seen(text, { amountCents: 1000, payableForSeconds: 600 })).toBe(text)
  })

  it("takes over terms that the books have forgotten, and they count for payments", () => {
    const own = seen(pending, { amountCents: 700, payableForSeconds: 900, revision: 2 })
    expect(asks(own)).toEqual([700, fixtureNow + 900_000])
    expect(own.termsRows).toMatchObject([{}, { number: 2, by: "bank", revision: 2, inForceAt: now }])
    expect(own.termsRows?.[1]).not.toHaveProperty("key")
    expect(seen(own, { amountCents: 700, payableForSeconds: 900, revision: 2 })).toBe(own)
  })

  it("is ignored if it shows an older count", () => {
    const known = confirmed(requested(pending, dearer), 2, now, 1)
    expect(seen(known, { amountCents: 1000, revision: 0 })).toBe(known)
    expect(seen(known, { amountCents: 1000 })).toBe(known)
    expect(asks(seen(known, { amountCents: 1000, revision: 2 }))[0]).toBe(1000)
  })

  it("keeps a higher count of the terms in force, as of the issue's, and no check moves", () => {
    const looked = { ...pending, lookUpAt: now + 7 }
    const counted = seen(looked, { amountCents: 1000, revision: 2 })
    expect(counted).toMatchObject({ ...looked, version: 2, updatedAt: now })
    expect(counted.termsRows).toMatchObject([{ number: 1, amountCents: 1000, revision: 2 }])
    expect(seen(counted, { amountCents: 700, revision: 2 })).toBe(counted)
    const again = confirmed(requested(counted, dearer, now, 2), 2, now, 3)
    expect(seen(again, { amountCents: 1500, revision: 5 }).termsRows).toMatchObject([{ revision: 2 }, { revision: 5 }])
  })

  it("takes over refused terms that the bank shows after all", () => {
    expect(seen(refused(live, 2), { amountCents: 1500, revision: 1 }).termsRows).toMatchObject([
      {},
      { refusedAt: now },
      { by: "bank", amountCents: 1500, inForceAt: now },
    ])
  })

  it("ends a requested change if later terms are shown, which it then can't replace", () => {
    const restored = requested(pending, dearer, now, 0)
    const later = seen(restored, { amountCents: 1000, revision: 2 })
    expect(later.termsRows).toMatchObject([{}, { key: "a" }, { by: "bank", amountCents: 1000 }])
    expect(asks(confirmed(later, 2))).toEqual(asks(later))
    expect(refusal(later, { key: "b", amountCents: 700 })).toBeUndefined()
  })

  it("takes over all terms of an earlier row, if the bank shows them again", () => {
    const first = confirmed(requested(pending, { ...dearer, messageToPayer: "Um" }), 2, now, 1)
    const second = confirmed(requested(first, { key: "b", amountCents: 700, messageToPayer: "Dois" }), 3, now, 2)
    expect(seen(second, { amountCents: 1500, revision: 3 })).toMatchObject({ amountCents: 1500, messageToPayer: "Um" })
    expect(seen(second, { amountCents: 900, revision: 3 })).toMatchObject({ amountCents: 900, messageToPayer: "Dois" })
  })

  it("ends a requested change without counts, if it shows terms of no row", () => {
    expect(seen(live, { amountCents: 700 }).termsRows).toMatchObject([{}, { key: "a" }, { by: "bank" }])
    const restored = requestRestore(pending, { amountCents: cents(700) }, now).next as PendingCharge
    expect(seen(restored, { amountCents: 700 })).toBe(restored)
  })

  it("doesn't end a change for terms that came in force after the change's look-up", () => {
    const next = requested(confirmed(live, 2, now, 1), { key: "b", amountCents: 700 }, now, 0)
    expect(seen(next, { amountCents: 1500, revision: 1 })).toBe(next)
  })

  it("never turns a charge into one of the other kind, and never changes a charge that has ended", () => {
    const due = "2026-07-01" as LocalDate
    expect(seen(pending, { amountCents: 700, dueDate: due, revision: 5 })).toBe(pending)
    const paid = aPaidCharge(pending)
    expect(after(paid, { _tag: "RecordTerms", shown: { amountCents: cents(700) }, ...order })).toBe(paid)
  })
})

describe("a charge with a due date", () => {
  const company = aCompany({ graceDays: 5 })
  const input = {
    id: pending.id,
    amountCents: 10_000,
    dueDate: "2026-06-10",
    fees: { fine: { kind: "percent", basisPoints: 200 } } as const,
    payer: { name: "Ana Souza", taxId: "52998224725" },
  }
  const issue = {
    company,
    holidays: nationalBankHolidays,
    request: Result.getOrThrow(parseChargeRequest(input)),
  }
  const made = { txid: pending.txid, createdAt: fixtureNow, brCode: "code" }
  const due = newCharge(issue, made, { now: fixtureNow, transactionId: pending.transactionId, isSwept: false })

  it("keeps the fees and grace days that a change doesn't name, even if its company has others now", () => {
    const others = aCompany({ graceDays: 30, fees: { fine: { kind: "percent", basisPoints: 100 } } as never })
    const change = { key: "a", dueDate: "2026-06-15" }
    const moved = Result.getOrThrow(requestChange(due, { ...order, company: others, change, by: "host" }, now)).next
    const { fees, payableUntil, dueDate, closedDays } = confirmed(moved as PendingCharge, 2)
    expect(fees).toEqual(due.fees)
    expect(dueDate).toBe("2026-06-15")
    expect(closedDays?.from).toBe("2026-06-15")
    expect(payableUntil).toBe(Date.parse("2026-06-21T02:59:59.999Z"))
  })

  it("keeps a discount that a change doesn't name, even if its day has moved to a business day", () => {
    const fees = { discount: { kind: "fixedUntil", tiers: [{ daysBefore: 4, amountCents: 500 }] } } as const
    const own = { ...issue, request: Result.getOrThrow(parseChargeRequest({ ...input, fees })) }
    const discounted = newCharge(own, made, { now: fixtureNow, transactionId: "", isSwept: false })
    // The discount of Saturday holds until Monday.
    const sunday = Date.parse("2026-06-07T15:00:00Z")
    const { termsRows } = requested(discounted, { key: "a", messageToPayer: "Oi" }, sunday)
    expect(termsRows?.map((row) => row.fees)).toEqual([discounted.fees, discounted.fees])
    expect(termsRows?.[1]?.closedDays).toEqual(discounted.closedDays)
  })

  it("can be changed after its due date, but not moved into the past", () => {
    const overdue = Date.parse("2026-06-12T12:00:00Z")
    expect(refusal(due, { key: "a", amountCents: 9_000 }, overdue)).toBeUndefined()
    expect(refusal(due, { key: "a", dueDate: "2026-06-11" }, overdue)).toBe("DueDateOutOfRange")
    expect(refusal(due, { key: "a", graceDays: 1 }, overdue)).toBe("InvalidChargeChange")
    expect(refusal(due, { key: "a", payableForSeconds: 900 }, overdue)).toBe("InvalidChargeRequest")
  })
})

it("an erased payer is in no row", () => {
  const erased = withoutPayer(
    confirmed(requested(pending, { key: "a", messageToPayer: "Oi Ana", reference: "7" }), 2),
    now,
  )
  expect(JSON.stringify(erased)).not.toMatch(/Ana|Oi|"7"|52998224725/)
  expect(erased.termsRows).toHaveLength(2)
})

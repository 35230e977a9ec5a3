import type { DeliveryRecord, ProcessorView } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"
import { eventRules, type SeenEvents } from "../../judge/eventRules.ts"
import { Expiries } from "../../judge/Looks.ts"
import type { SettledCharge } from "../../judge/money.ts"
import { Moves } from "../../judge/Moves.ts"
import { settlingRank } from "../../judge/names.ts"

const issuer = cnpj("11222333000181")
const minuteMs = 60_000
const recordedAt = 10 * minuteMs
const payment = { issuer, endToEndId: "E2", amountCents: 100, paidAt: 2, recordedAt, late: false, otherAmount: false }
const row = (reference: string, inForceAt?: number) => ({ reference, amountCents: 100, inForceAt, watchUntil: 0 })
const base = { issuer, id: "c", txid: "c", amountCents: 100, returns: [], version: 1 }
const make = (state: object) => (reference: string, termsRows: ReadonlyArray<object>) =>
  ({ ...base, ...state, reference, termsRows }) as unknown as Charge
const asPaid = make({ _tag: "Paid", payment })
const asCancelled = make({ _tag: "Cancelled", cancelledBy: "bank", cancelledAt: recordedAt })

const findWrong = (charge: Charge, event: object, seen: Partial<SeenEvents> = {}) =>
  eventRules.eventForEachTransition?.({
    charge,
    payableUntil: 0,
    cancelledBy: ["bank"],
    isForgotten: false,
    mistaken: [],
    endpoints: [{ id: "loja", kinds: ["paid", "cancelled"] }],
    deliveries: [{ event: { issuer, ...event }, endpointId: "loja", status: "waiting" } as unknown as DeliveryRecord],
    ...seen,
  })

const ofCharge = (kind: string, more: object) => ({ id: `evt_${issuer}_c_${kind}`, kind, ...more })
const paidEvent = (reference: string, by: { readonly endToEndId: string; readonly paidAt: number } = payment) => {
  const { endToEndId, paidAt: occurredAt } = by
  const of = { chargeId: "c", txid: "c", endToEndId, amountCents: 100, reference }
  return ofCharge("paid", { occurredAt, late: false, otherAmount: false, payment: of })
}
const cancelledEvent = (reference: string) =>
  ofCharge("cancelled", { by: "bank", charge: { chargeId: "c", txid: "c", amountCents: 100, reference } })

describe.each([
  ["paid", asPaid, paidEvent],
  ["cancelled", asCancelled, cancelledEvent],
] as const)("a `%s` event with terms before the charge's last ones", (kind, charge, event) => {
  const findWrongAfter = (since: number) => findWrong(charge("new", [row("old", 0), row("new", since)]), event("old"))

  it("is right if the last ones came into force later, and wrong if they were in force before", () => {
    expect(findWrongAfter(recordedAt + minuteMs)).toEqual([])
    expect(findWrongAfter(recordedAt - 2 * minuteMs)).toEqual([
      expect.stringContaining(`a ${kind} event that contradicts the charge`),
    ])
  })

  it("is wrong with terms that weren't in force", () => {
    expect(findWrong(charge("old", [row("old", 0), row("new")]), event("new"))).toHaveLength(1)
  })
})

const part = `${"a".repeat(30)}P1`
const atBank = (endToEndId: string, ...ids: ReadonlyArray<string>) => {
  const returns = ids.map((id) => ({ id, status: "returned" }))
  return { endToEndId, issuer, txid: "c", amountCents: 100, paidAt: 1, returns } as unknown as LedgerPayment
}

describe("a payment by which restored books settled a charge before a refund proved another one", () => {
  const mistaken = [atBank("E1")]

  it("can have an event, once", () => {
    const other = paidEvent("a", { endToEndId: "E1", paidAt: 1 })
    expect(findWrong(asPaid("a", []), other, { mistaken })).toEqual([])
    expect(findWrong(asPaid("a", []), paidEvent("a"), { mistaken })).toEqual([])
    expect(findWrong(asPaid("a", []), other)).toEqual([expect.stringContaining("contradicts the charge")])
    expect(findWrong(asPaid("a", []), other, { mistaken, deliveries: [] })).toEqual([
      expect.stringContaining("has 0 deliveries of paid"),
    ])
  })

  it("comes after a payment refunded with its charge, and before a refunded exception", () => {
    const ranked = [atBank("E1", part), atBank("E2"), atBank("E3", "D1"), atBank("E4", `${"E".repeat(32)}X0`)]
    expect(ranked.map(settlingRank)).toEqual([0, 1, 1, 2])
  })

  it("can be replaced only then", () => {
    const settleInTurn = (replaces: boolean) => {
      const moves = new Moves()
      const charges = ["E1", "E2", "E2"].map((endToEndId) => ({ ...base, payment: { ...payment, endToEndId } }))
      return charges.map((one) => moves.judgePayment(one as unknown as SettledCharge, 0, () => replaces).length)
    }
    expect(settleInTurn(true)).toEqual([0, 0, 0])
    expect(settleInTurn(false)).toEqual([0, 1, 1])
  })
})

it.each([[[]], [[payment]]])("a look-up shows a removed charge, also with payments (%j)", (payments) => {
  const expiries = new Expiries()
  const charge = { issuer, id: "c" } as Charge
  const ask = { caller: "a", method: "lookup", args: [charge], requestedAt: 0, clockAt: 0, isAlone: true }
  const tell = (status: ProcessorView["status"]) => expiries.recordAnswer({ ...ask, answer: { status, payments } })
  tell("active")
  expect(expiries.isSeenRemoved(charge)).toBe(false)
  tell("removed")
  expect(expiries.isSeenRemoved(charge)).toBe(true)
})

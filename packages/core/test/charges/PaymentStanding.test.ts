import { chargeTxid, type PaymentStanding, type Return } from "@pixcharge/core/charges"
import { aChargeId, aPendingCharge, aPayment, aReturn, cents } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"
import { isSettled } from "../../src/model/charge/PaymentException.ts"

const charge = aPendingCharge()
const payment = aPayment(charge)
const { issuer, endToEndId, amountCents } = payment
const named = { txid: charge.txid }
const unnamed = {}
const others = { txid: chargeTxid(issuer, aChargeId()) }

const half = aReturn(payment, { id: "Aa1", amountCents: cents(amountCents - 1) })
const rest = aReturn(payment, { id: "Bb2", amountCents: cents(1) })
const whole = [half, rest]
const asException = aReturn(payment, { id: `${endToEndId}X0`, amountCents })

const ofNone = { issuer, endToEndId, amountCents, exception: "Open" } as const
const ofCharge = { issuer, endToEndId, amountCents, chargeId: charge.id } as const
const settling = { ...ofCharge, charge: "Paid" } as const
const further = { ...settling, exception: "Open" } as const
const resolved = { exception: "Resolved" } as const

type Row = readonly [
  what: string,
  stands: Omit<PaymentStanding, "returns">,
  has: ReadonlyArray<Return>,
  shown: { readonly txid?: string; readonly returns?: ReadonlyArray<Return> },
]

const settled: ReadonlyArray<Row> = [
  ["settled its charge", settling, [], named],
  ["settled its charge but names no charge", settling, [], unnamed],
  ["is a further payment of a paid charge", further, [half], { ...named, returns: [half] }],
  ["came for a cancelled charge", { ...further, charge: "Cancelled" }, [], named],
  ["has no charge", ofNone, [], unnamed],
  ["names an unknown charge", ofNone, [], others],
  [
    "has a return whose id differs only in upper and lower case",
    settling,
    [half],
    { ...named, returns: [{ ...half, id: "AA1" }] },
  ],
  ["went back and its charge is refunded", { ...settling, charge: "Refunded" }, whole, { ...named, returns: whole }],
  ["went back while its refund is open", { ...settling, charge: "Refunding" }, whole, { ...named, returns: whole }],
  ["went back as a refunded exception", { ...further, exception: "Refunded" }, whole, { ...named, returns: whole }],
  [
    "went back as an exception while its charge is pending",
    { ...further, charge: "Pending", exception: "Refunded" },
    [asException],
    { ...named, returns: [asException] },
  ],
  ["went back after it was resolved", { ...ofNone, ...resolved, isReturned: true }, whole, { returns: whole }],
  ["went back but the list shows no return", settling, whole, named],
]

const unsettled: ReadonlyArray<Row> = [
  [
    "went back by other returns than its refund while its charge is pending",
    { ...further, charge: "Pending", exception: "Refunded" },
    whole,
    { ...named, returns: whole },
  ],
  ["belongs to a pending charge", { ...further, charge: "Pending" }, [], named],
  ["belongs to a pending charge but names no charge", { ...further, charge: "Pending" }, [], unnamed],
  ["names a charge issued later", { ...ofNone, charge: "Pending" }, [], named],
  ["names a paid charge issued later", { ...ofNone, charge: "Paid" }, [], named],
  ["names another charge than its own", settling, [], others],
  ["has a new return", settling, [half], { ...named, returns: whole }],
  ["has a new return and no charge", ofNone, [], { returns: [half] }],
  ["went back while its charge is still paid", settling, whole, { ...named, returns: whole }],
  ["went back while its exception is open", further, whole, { ...named, returns: whole }],
  ["went back without a charge while its exception is open", ofNone, whole, { returns: whole }],
  [
    "went back after it was resolved and its exception doesn't have the return",
    { ...ofNone, ...resolved },
    whole,
    { returns: whole },
  ],
]

describe("a recorded payment", () => {
  it.each(settled)("needs no further move if it %s", (_, stands, returns, shown) => {
    expect(isSettled({ ...stands, returns }, { returns: [], ...shown })).toBe(true)
  })

  it.each(unsettled)("needs another move if it %s", (_, stands, returns, shown) => {
    expect(isSettled({ ...stands, returns }, { returns: [], ...shown })).toBe(false)
  })
})

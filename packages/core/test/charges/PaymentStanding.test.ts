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

type Row = readonly [
  what: string,
  stands: Omit<PaymentStanding, "returns">,
  has: ReadonlyArray<Return>,
  shown: { readonly txid?: string; readonly returns?: ReadonlyArray<Return> },
]

const settled: ReadonlyArray<Row> = [
  ["settled its charge", settling, [], named],
  ["settled its charge, and names none", settling, [], unnamed],
  ["came besides", further, [half], { ...named, returns: [half] }],
  ["came for a cancelled charge", { ...further, charge: "Cancelled" }, [], named],
  ["has no charge", ofNone, [], unnamed],
  ["names a charge that nobody knows", ofNone, [], others],
  ["has its return, in another case", settling, [half], { ...named, returns: [{ ...half, id: "AA1" }] }],
  ["is back, and so is its charge", { ...settling, charge: "Refunded" }, whole, { ...named, returns: whole }],
  ["is back while it is asked back", { ...settling, charge: "Refunding" }, whole, { ...named, returns: whole }],
  ["is back, and that is known", { ...further, exception: "Refunded" }, whole, { ...named, returns: whole }],
  [
    "is back as an exception, though its charge waits",
    { ...further, charge: "Pending", exception: "Refunded" },
    [asException],
    { ...named, returns: [asException] },
  ],
  ["is back, and was resolved", { ...ofNone, exception: "Resolved" }, whole, { returns: whole }],
  ["is back, of which the list says nothing", settling, whole, named],
]

const left: ReadonlyArray<Row> = [
  [
    "is back through others, and its charge waits",
    { ...further, charge: "Pending", exception: "Refunded" },
    whole,
    { ...named, returns: whole },
  ],
  ["is its charge's, which waits for it", { ...further, charge: "Pending" }, [], named],
  ["is its charge's, which waits for it, and names none", { ...further, charge: "Pending" }, [], unnamed],
  ["names a charge that was issued after it", { ...ofNone, charge: "Pending" }, [], named],
  ["names a paid charge that was issued after it", { ...ofNone, charge: "Paid" }, [], named],
  ["names another charge than its own", settling, [], others],
  ["has a new return", settling, [half], { ...named, returns: whole }],
  ["has a new return, and no charge", ofNone, [], { returns: [half] }],
  ["is back, and its charge still paid", settling, whole, { ...named, returns: whole }],
  ["is back, and still an open exception", further, whole, { ...named, returns: whole }],
  ["is back, and open without a charge", ofNone, whole, { returns: whole }],
]

describe("a recorded payment", () => {
  it.each(settled)("needs no further move if it %s", (_, stands, returns, shown) => {
    expect(isSettled({ ...stands, returns }, { returns: [], ...shown })).toBe(true)
  })

  it.each(left)("needs another move if it %s", (_, stands, returns, shown) => {
    expect(isSettled({ ...stands, returns }, { returns: [], ...shown })).toBe(false)
  })
})

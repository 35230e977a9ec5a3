import { hash } from "node:crypto"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Charge, PaymentNotice, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as DateTime from "effect/DateTime"

/** Held by no institution. */
export const sandboxIspb = "99999999"

/** The last eleven letters and digits of the ids that banks give. */
export const alphanumeric = (hex: string): string =>
  BigInt(`0x${hex}`).toString(36).toUpperCase().padStart(11, "0").slice(-11)

/** `yyyyMMddHHmm` in UTC. */
const formatMinute = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(epochMs)).slice(0, 16).replaceAll(/[-T:]/g, "")

/**
 * The payment's id has the form of a real one: `E`, the payer's institution, the minute in UTC and 11 letters and digits
 * (Manual de Padrões para Iniciação do Pix).
 *
 * It follows from the charge alone, its minute being that of the charge's creation, so that paying the same charge again
 * is the same payment, even after the sandbox forgot the first. `name` distinguishes several payments of a charge.
 */
const makeEndToEndId = ({ issuer, id, createdAt }: Charge, name: string): string =>
  `E${sandboxIspb}${formatMinute(createdAt)}${alphanumeric(hash("sha256", `${issuer}/${id.replaceAll("-", "")}/${name}`).slice(0, 16))}`

const payment = (charge: Charge, name: string, amountCents: Cents, paidAt: number): PaymentNotice => ({
  issuer: charge.issuer,
  txid: charge.txid,
  endToEndId: makeEndToEndId(charge, name),
  amountCents,
  paidAt,
})

/** A payment of the charge, the same whenever it is made again; `ordinal` counts from 1. */
export const sandboxPayment = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, String(ordinal), amountCents, paidAt)

/** A payment that is another one at another moment: after a restart nobody counts those before it. */
export const payAgain = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, `${ordinal}/${paidAt}`, amountCents, paidAt)

/** The payment by which a cycle's charge is debited on a day. */
export const debitPayment = (charge: Charge, on: LocalDate, paidAt: number): PaymentNotice =>
  payment(charge, `debit/${on}`, charge.amountCents, paidAt)

/** When money of the payment goes back, if somebody returns it now: not before it came, which may be ahead of now. */
export const findReturningAt = (returned: Pick<PaymentNotice, "paidAt"> | undefined, now: number): number =>
  Math.max(now, returned?.paidAt ?? now)

/**
 * Money of the payment that went back outside, by the bank itself or in its portal; `ordinal` counts its returns from 1. The
 * id has the form of a real one, which differs from a payment's by its first letter.
 */
export const sandboxReturn = (
  { issuer, endToEndId }: Pick<PaymentNotice, "issuer" | "endToEndId">,
  ordinal: number,
  amountCents: Cents,
  returnedAt: number,
): Return => ({
  issuer,
  id: `D${sandboxIspb}${formatMinute(returnedAt)}${alphanumeric(hash("sha256", `${endToEndId}/${ordinal}`).slice(0, 16))}`,
  endToEndId,
  kind: "outside",
  amountCents,
  returnedAt,
})

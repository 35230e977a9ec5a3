import { hash } from "node:crypto"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Charge, PaymentNotice, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as DateTime from "effect/DateTime"

/** The ISPB (institution's code) of the sandbox's bank. No institution has it. */
export const sandboxIspb = "99999999"

/** Makes eleven letters and digits of a hash, like those at the end of a bank's ids. */
export const alphanumeric = (hex: string): string =>
  BigInt(`0x${hex}`).toString(36).toUpperCase().padStart(11, "0").slice(-11)

/** `yyyyMMddHHmm` in UTC. */
const formatMinute = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(epochMs)).slice(0, 16).replaceAll(/[-T:]/g, "")

/**
 * Makes an endToEndId: `E`, the payer's institution, the minute in UTC and 11 letters and digits (Manual de Padrões
 * para Iniciação do Pix). It depends only on the charge and `name`, so it stays the same after a restart.
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

/** Makes the charge's payment with this `ordinal` (from 1). */
export const sandboxPayment = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, String(ordinal), amountCents, paidAt)

/**
 * Makes a further payment of a charge. Its time is part of its id, because a restart loses the count of earlier
 * payments.
 */
export const payAgain = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, `${ordinal}/${paidAt}`, amountCents, paidAt)

export const debitPayment = (charge: Charge, on: LocalDate, paidAt: number): PaymentNotice =>
  payment(charge, `debit/${on}`, charge.amountCents, paidAt)

/** The time of a return that is made now. It is never before the payment, whose time can be in the future. */
export const findReturningAt = (returned: Pick<PaymentNotice, "paidAt"> | undefined, now: number): number =>
  Math.max(now, returned?.paidAt ?? now)

/** Makes a return that pixcharge didn't request. `ordinal` counts the payment's returns from 1. */
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

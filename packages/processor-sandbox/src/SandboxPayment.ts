import { hash } from "node:crypto"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Charge, PaymentNotice, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as DateTime from "effect/DateTime"

/** No institution has this ISPB. */
export const sandboxIspb = "99999999"

/** Eleven letters and digits, as at the end of a bank's ids. */
export const alphanumeric = (hex: string): string =>
  BigInt(`0x${hex}`).toString(36).toUpperCase().padStart(11, "0").slice(-11)

/** `yyyyMMddHHmm` in UTC. */
const formatMinute = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(epochMs)).slice(0, 16).replaceAll(/[-T:]/g, "")

/**
 * `E`, the payer's institution, the minute in UTC and 11 letters and digits (Manual de Padrões para Iniciação do Pix).
 *
 * Made from the charge alone, so it stays the same after a restart. `name` distinguishes several payments of a charge.
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

/** The payment with this `ordinal` (from 1). Each call makes the same payment. */
export const sandboxPayment = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, String(ordinal), amountCents, paidAt)

/** A further payment. Its moment is part of its id, because a restart loses the count of earlier payments. */
export const payAgain = (charge: Charge, ordinal: number, amountCents: Cents, paidAt: number): PaymentNotice =>
  payment(charge, `${ordinal}/${paidAt}`, amountCents, paidAt)

export const debitPayment = (charge: Charge, on: LocalDate, paidAt: number): PaymentNotice =>
  payment(charge, `debit/${on}`, charge.amountCents, paidAt)

/** The time of a return made now, never before the payment, even if that is dated ahead. */
export const findReturningAt = (returned: Pick<PaymentNotice, "paidAt"> | undefined, now: number): number =>
  Math.max(now, returned?.paidAt ?? now)

/** A return made by the bank or in its portal; `ordinal` counts the payment's returns from 1. */
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

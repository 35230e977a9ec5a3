import type { Company } from "@pixcharge/core/party"
import {
  brasiliaDate,
  endOfBrasiliaDay,
  type Holidays,
  type LocalDate,
  nextBusinessDay,
} from "@pixcharge/core/calendar"
import {
  type AdditionalInfo,
  type AmountDue,
  amountDueOn,
  type Charge,
  type ChargeStatus,
  chargeStatus,
  partialRefundStatus,
  promisedHolidays,
  returnedCents,
} from "@pixcharge/core/charges"

/** The statuses that a page shows. Only debits fail, and their charges have no page. */
export type PageStatus = Exclude<ChargeStatus, "failed">

/** A charge's payment, as its payer can see it. */
export interface SeenPayment {
  readonly amountCents: number
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly endToEndId: string
  /** Whether the payment came after `payableUntil`. */
  readonly isLate: boolean
}

/** The pages' view of a charge. It contains no data of the payer except texts meant for them. Instants are epoch milliseconds. */
export interface Snapshot {
  readonly status: PageStatus
  /** True if the payer has no change to wait for. */
  readonly isFinal: boolean
  readonly payeeName: string
  /** The payee's CNPJ. */
  readonly payeeTaxId: string
  /** The charge's texts for its payer. The payer's bank shows them, too. */
  readonly description?: string
  readonly additionalInfo?: ReadonlyArray<AdditionalInfo>
  /** The amount due today in Brasília, on the day of payment, or on an expired charge's last payable day. */
  readonly amount: AmountDue
  /** The due date as issued. `movedDueDate` is the business day that replaces it. */
  readonly dueDate?: LocalDate
  readonly movedDueDate?: LocalDate
  readonly payableUntil: number
  /** The copy-and-paste code, while the charge is payable. */
  readonly brCode?: string
  readonly payment?: SeenPayment
  /** The returned part of the payment, while the status is `paid`. */
  readonly returnedCents: number
  readonly refundedAt?: number
  readonly cancelledAt?: number
  readonly canRenew: boolean
  /** The next time at which the page changes without an event. */
  readonly changesAt?: number
}

export interface SnapshotInput {
  readonly company: Company
  readonly holidays: Holidays
  /** Epoch milliseconds of business time. */
  readonly now: number
  readonly canRenew: boolean
}

const shownDay = (charge: Charge, now: number): LocalDate => {
  if ("payment" in charge) return brasiliaDate(charge.payment.paidAt)
  const moment = charge._tag === "Cancelled" ? charge.cancelledAt : now
  return brasiliaDate(Math.min(moment, charge.payableUntil))
}

/** The charge of a failed debit has no page. If it had, `expired` would be right: the charge can't be paid. */
const pageStatus = (charge: Charge, now: number): PageStatus => {
  const status = chargeStatus(charge, now)
  return status === "failed" ? "expired" : status
}

const nextChange = (charge: Charge, status: PageStatus, now: number): number | undefined => {
  if (status === "expired") return now > charge.watchUntil ? undefined : charge.watchUntil + 1
  if (status !== "pending") return undefined
  const expires = charge.payableUntil + 1
  return charge.fees === undefined ? expires : Math.min(expires, endOfBrasiliaDay(brasiliaDate(now)) + 1)
}

const isPartUnderWay = ({ partialRefunds = [], returns }: Charge): boolean =>
  partialRefunds.some((part) => partialRefundStatus(part, returns) === "refunding")

const isFinal = (charge: Charge, status: PageStatus, now: number): boolean => {
  switch (status) {
    case "pending":
    case "refunding":
      return false
    case "expired":
      return now > charge.watchUntil
    case "paid":
      return !isPartUnderWay(charge)
    case "refunded":
    case "cancelled":
      return true
  }
}

const seenPayment = (charge: Charge): Pick<Snapshot, "payment" | "returnedCents"> => {
  if (!("payment" in charge)) return { returnedCents: 0 }
  const { amountCents, paidAt, endToEndId, late } = charge.payment
  return {
    payment: { amountCents, paidAt, endToEndId, isLate: late },
    returnedCents: returnedCents(endToEndId, charge.returns),
  }
}

const seenDueDate = (charge: Charge, holidays: Holidays): Pick<Snapshot, "dueDate" | "movedDueDate"> => {
  const { dueDate } = charge
  if (dueDate === undefined) return {}
  return { dueDate, movedDueDate: nextBusinessDay(dueDate, promisedHolidays(charge, holidays)) }
}

const seenTexts = ({ messageToPayer, additionalInfo }: Charge): Pick<Snapshot, "description" | "additionalInfo"> => ({
  ...(messageToPayer !== undefined && { description: messageToPayer }),
  ...(additionalInfo && { additionalInfo }),
})

/** Throws a RangeError if the amount due exceeds 2^53 centavos. */
export const makeSnapshot = (charge: Charge, { company, holidays, now, canRenew }: SnapshotInput): Snapshot => {
  const status = pageStatus(charge, now)
  const changesAt = nextChange(charge, status, now)
  return {
    status,
    isFinal: isFinal(charge, status, now),
    payeeName: company.name,
    payeeTaxId: company.cnpj,
    ...seenTexts(charge),
    amount: amountDueOn(charge, shownDay(charge, now), holidays),
    ...seenDueDate(charge, holidays),
    payableUntil: charge.payableUntil,
    ...(status === "pending" && { brCode: charge.brCode }),
    ...seenPayment(charge),
    ...(charge._tag === "Refunded" && { refundedAt: charge.refundedAt }),
    ...(charge._tag === "Cancelled" && { cancelledAt: charge.cancelledAt }),
    canRenew: canRenew && status === "expired",
    ...(changesAt !== undefined && { changesAt }),
  }
}

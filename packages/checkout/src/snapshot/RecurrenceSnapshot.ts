import type { Company } from "@pixcharge/core/party"
import { type Charge, chargeStatus } from "@pixcharge/core/charges"
import type { Recurrence, RecurrenceEnd } from "@pixcharge/core/recurrence"

/** The payment that comes with the authorisation. Instants are epoch milliseconds. */
export interface JoinedPayment {
  readonly amountCents: number
  readonly status: "payable" | "paid" | "closed"
  readonly payableUntil: number
  readonly dueDate?: string
}

/** The page's view of a recurrence, without data of its payer. Instants are epoch milliseconds. */
export interface RecurrenceSnapshot extends Pick<
  Recurrence,
  "title" | "period" | "startDate" | "endDate" | "amountCents" | "floorCents" | "retries"
> {
  readonly status: "preparing" | "offered" | "approved" | "ended"
  /** True if the payer has no change to wait for. */
  readonly isFinal: boolean
  readonly payeeName: string
  readonly payeeTaxId: string
  /** How the payer authorises: by a code, or by a request in the bank's app, open until `requestUntil`. */
  readonly by: "code" | "bank"
  readonly requestUntil?: number
  /** The code that authorises the recurrence or pays its first charge; absent if it can no longer be used. */
  readonly brCode?: string
  readonly payment?: JoinedPayment
  readonly end?: RecurrenceEnd["reason"]
  /** The next time at which the page changes without an event. */
  readonly changesAt?: number
}

const statuses = {
  Requested: "preparing",
  Offered: "offered",
  Approved: "approved",
  Ending: "ended",
  Ended: "ended",
} as const satisfies Readonly<Record<Recurrence["_tag"], RecurrenceSnapshot["status"]>>

const readPayment = (charge: Charge, now: number): JoinedPayment => {
  const { amountCents, payableUntil, dueDate } = charge
  const status = chargeStatus(charge, now) === "pending" ? "payable" : "payment" in charge ? "paid" : "closed"
  return { amountCents, status, payableUntil, ...(dueDate && { dueDate }) }
}

const findCode = (
  recurrence: Recurrence,
  charge: Charge | undefined,
  payment: JoinedPayment | undefined,
): string | undefined => {
  const isPayable = payment === undefined || payment.status === "payable"
  if (!isPayable) return undefined
  if (recurrence._tag === "Offered") return recurrence.brCode
  return recurrence._tag === "Approved" ? charge?.brCode : undefined
}

/** While the payment that comes with the authorisation is payable, it can still change an approved recurrence. */
const isFinal = ({ _tag }: Recurrence, payment: JoinedPayment | undefined): boolean =>
  _tag === "Ended" || (_tag === "Approved" && payment?.status !== "payable")

/** The payer pays `charge` with the authorisation. `now` is in epoch milliseconds. */
export const makeRecurrenceSnapshot = (
  recurrence: Recurrence,
  { charge, company, now }: { readonly charge: Charge | undefined; readonly company: Company; readonly now: number },
): RecurrenceSnapshot => {
  const { _tag: tag, title, period, startDate, endDate, amountCents, floorCents, retries, journey } = recurrence
  const payment = charge && readPayment(charge, now)
  const brCode = findCode(recurrence, charge, payment)
  return {
    status: statuses[tag],
    isFinal: isFinal(recurrence, payment),
    payeeName: company.name,
    payeeTaxId: company.cnpj,
    title,
    period,
    startDate,
    ...(endDate && { endDate }),
    ...(amountCents !== undefined && { amountCents }),
    ...(floorCents !== undefined && { floorCents }),
    retries,
    by: journey.by === "bank" ? "bank" : "code",
    ...(journey.by === "bank" && { requestUntil: journey.until }),
    ...(brCode !== undefined && { brCode }),
    ...(payment && { payment }),
    ...(tag === "Ending" && { end: "ended" as const }),
    ...(tag === "Ended" && { end: recurrence.end.reason }),
    ...(payment?.status === "payable" && { changesAt: payment.payableUntil + 1 }),
  }
}

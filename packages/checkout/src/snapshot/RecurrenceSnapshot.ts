import type { Company } from "@pixcharge/core/party"
import { type Charge, chargeStatus } from "@pixcharge/core/charges"
import type { Recurrence, RecurrenceEnd } from "@pixcharge/core/recurrence"

/** How far the payment has come with which the payer authorises. Instants are epoch milliseconds. */
export interface JoinedPayment {
  readonly amountCents: number
  readonly status: "payable" | "paid" | "closed"
  readonly payableUntil: number
  readonly dueDate?: string
}

/** What the page shows of a recurrence at one moment: nothing of its payer. Instants are epoch milliseconds. */
export interface RecurrenceSnapshot extends Pick<
  Recurrence,
  "title" | "period" | "startDate" | "endDate" | "amountCents" | "floorCents" | "retries"
> {
  readonly status: "preparing" | "offered" | "approved" | "ended"
  /** Whether nothing that its payer waits for can change any more. */
  readonly isFinal: boolean
  readonly payeeName: string
  /** The payee's CNPJ. */
  readonly payeeTaxId: string
  /** Where the payer authorises: by a code, or by a request in their bank's app, which is open until a moment. */
  readonly by: "code" | "bank"
  readonly requestUntil?: number
  /** The code that authorises, or that pays what the payer has authorised; absent once there is nothing to do with it. */
  readonly brCode?: string
  readonly payment?: JoinedPayment
  readonly end?: RecurrenceEnd["reason"]
  /** When time alone changes what is shown. */
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

/** A code that was paid, or can't be paid any more, authorises nothing: it is not shown. */
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

/** Once it is authorised nothing is awaited but the payment of a code that was scheduled. */
const isFinal = ({ _tag }: Recurrence, payment: JoinedPayment | undefined): boolean =>
  _tag === "Ended" || (_tag === "Approved" && payment?.status !== "payable")

/** Makes the snapshot of a recurrence; `charge` is the one that is paid with the authorisation. `now` in epoch milliseconds. */
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

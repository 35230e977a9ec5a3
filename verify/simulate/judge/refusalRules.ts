import type { Charge, ChargeId, PartialRefund, Payment, PaymentException, Refund } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { findOpen } from "./TermsRows.ts"
import { backCents, isPartBack, liveParts, returnableUntil } from "./money.ts"
import { partFamily, refundFamily, shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

const minuteMs = 60_000
/** How long after an unanswered call the bank can make a refused refund (decision 50), plus the clocks' difference. */
const lateRefundMs = 86_400_000 + minuteMs

export interface Requested {
  readonly issuer: Cnpj
  readonly id?: ChargeId
  readonly endToEndId?: string
  readonly key?: string
  readonly amountCents?: number
  readonly change?: { readonly key: string }
}

/**
 * A refused call, with the states that its charge or exception had since the call began; no states if it isn't stored.
 */
export interface SeenRefusal {
  readonly tag: string
  readonly requested: Requested
  readonly charges: ReadonlyArray<Charge>
  readonly exceptions: ReadonlyArray<PaymentException>
  readonly isPaidAtBank: boolean
  readonly now: number
}

type Settled = Extract<Charge, { readonly payment: unknown }>

const mayStillReturn = (refund: Refund | undefined, now: number): boolean =>
  refund?.unanswered?.some((calledAt) => calledAt > now - lateRefundMs) ?? false

/** The parts that wait for the bank, or that the bank refused but can still return. */
const openParts = (charge: Settled, now: number): ReadonlyArray<PartialRefund> => [
  ...liveParts(charge),
  ...(charge.partialRefunds ?? []).filter(
    (part) => !isPartBack(part, charge.returns) && mayStillReturn(part.refund, now),
  ),
]

/** The cents that were returned under a key, or else the requested cents (decision 50). */
const keyCents = ({ payment, returns, partialRefunds = [] }: Settled, key: string): number | undefined => {
  const family = partFamily(payment.endToEndId, key)
  const back = returns.find(({ id }) => refundFamily(id) === family)
  return (back ?? partialRefunds.find((part) => part.key === key))?.amountCents
}

const isWindowClosed = (payment: Pick<Payment, "paidAt">, now: number): boolean =>
  now > returnableUntil(payment) - minuteMs

type Reason = (charge: Charge, seen: SeenRefusal) => boolean
const ifSettled =
  (is: (charge: Settled, seen: SeenRefusal) => boolean): Reason =>
  (charge, seen) =>
    "payment" in charge && is(charge, seen)
const ifTag =
  (tag: Charge["_tag"]): Reason =>
  ({ _tag }) =>
    _tag === tag

/** The charges for which each refusal is true (decisions 11, 13, 15, 18 and 50). */
const reasons: Readonly<Record<string, Reason>> = {
  ChargeNotPaid: ifTag("Pending"),
  ChargeCancelled: ifTag("Cancelled"),
  ChargeRefunded: ifTag("Refunded"),
  ChargeAlreadyPaid: (charge, { isPaidAtBank }) => isPaidAtBank || "payment" in charge,
  ChargeExpired: (charge, { now }) =>
    charge._tag === "Pending" &&
    [charge, ...(charge.termsRows ?? [])].some(({ payableUntil }) => now > payableUntil - minuteMs),
  // A repeat has the charge's first terms or those in force.
  ChargeConflict: (charge, { requested: asked }) =>
    [charge.termsRows?.[0] ?? charge, charge].every(({ amountCents }) => amountCents !== asked.amountCents),
  ChangeUnderWay: (charge, { requested: { change } }) => {
    const open = findOpen(charge)
    return open !== undefined && open.key !== change?.key
  },
  ChangeConflict: ({ termsRows = [] }, { requested: { change } }) => termsRows.some(({ key }) => key === change?.key),
  ChangeRejected: ({ termsRows = [] }, { requested: { change } }) =>
    termsRows.some((row) => row.key === change?.key && row.inForceAt === undefined),
  ChargeRefunding: ifSettled(
    (charge, { now }) =>
      charge._tag === "Refunding" || (charge._tag === "Paid" && mayStillReturn(charge.failedRefund, now)),
  ),
  ChargePartlyReturned: ifSettled((charge, { now }) => charge.returns.length > 0 || openParts(charge, now).length > 0),
  RefundWindowClosed: ifSettled(({ payment }, { now }) => isWindowClosed(payment, now)),
  RefundExceedsRest: ifSettled(
    ({ payment, returns }, { requested: { amountCents = 0 } }) =>
      backCents(payment, returns) + amountCents > payment.amountCents,
  ),
  PartialRefundUnderWay: ifSettled((charge, { requested: asked, now }) =>
    openParts(charge, now).some(({ key }) => key !== asked.key),
  ),
  PartialRefundConflict: ifSettled((charge, { requested: { key = "", amountCents } }) => {
    const cents = keyCents(charge, key)
    return cents !== undefined && cents !== amountCents
  }),
  RefundRejected: ifSettled((charge, { requested: { key, amountCents } }) =>
    key === undefined
      ? "failedRefund" in charge && charge.failedRefund !== undefined
      : keyCents(charge, key) === amountCents &&
        charge.partialRefunds?.some((part) => part.key === key && part.rejection !== undefined) === true,
  ),
}

/** The exceptions for which each refusal is true (decision 31). */
const exceptionReasons: Readonly<Record<string, (exception: PaymentException, now: number) => boolean>> = {
  ExceptionClosed: ({ payment, state, returns }, now) =>
    state._tag !== "Open" || backCents(payment, returns) > 0 || isWindowClosed(payment, now),
  ExceptionRefundRejected: ({ state }) => state._tag === "Open" && state.failedRefund !== undefined,
  ExceptionNotFound: () => false,
}

/** The books must have had the reason for a refusal at some time during the call. */
export const refusalRules: Rules<SeenRefusal> = {
  refusalsAreTrue: (seen) => {
    const { tag, requested: asked, charges, exceptions, now } = seen
    const [isTrue, isTrueOf] = [reasons[tag], exceptionReasons[tag]]
    const name = shortName(asked.id ?? asked.endToEndId ?? "")
    const isWrong =
      (isTrue !== undefined && charges.length > 0 && !charges.some((charge) => isTrue(charge, seen))) ||
      (isTrueOf !== undefined && exceptions.length > 0 && !exceptions.some((one) => isTrueOf(one, now)))
    return reportIf(
      isWrong,
      `${tag} was answered for ${name}, which was ${[...charges, ...exceptions].map(describeStanding).join(", ")}`,
    )
  },
}

const describeStanding = (one: Charge | PaymentException): string => ("state" in one ? one.state._tag : one._tag)

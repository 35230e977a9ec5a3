import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { brasiliaDate, brasiliaWallClock } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { Charge } from "../charge/Charge.ts"
import { cycleSchedule } from "../cycle/cycles.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Journey, Recurrence, RequestedRecurrence } from "./Recurrence.ts"
import type { RecurrenceRequest } from "./RecurrenceRequest.ts"

/**
 * The first cycle of this start date can't be charged any more, or would be paid twice: the journey's charge can still be
 * paid on that day.
 *
 * @repeat No, only with a later `startDate`, from `earliest` on.
 */
export class StartDateTooEarly extends TaggedError("StartDateTooEarly", {
  problem: ({ earliest }: { readonly startDate: LocalDate; readonly earliest: LocalDate }) =>
    `startDate must be ${earliest} or later: its first cycle must still be chargeable, and begin after the last day of the journey's charge.`,
  remedy:
    "Choose a later startDate, from `earliest` on. A charge without a due date can be paid for minutes, a charge with a due date until its company's `graceDays` are over.",
}) {}

/**
 * The offer's end has passed or lies more than 30 days ahead. A request in the app of the payer's bank must end earlier
 * than that.
 *
 * @repeat No, only with another time, before `latest` (epoch milliseconds).
 */
export class SolicitationOutOfRange extends TaggedError("SolicitationOutOfRange", {
  problem: ({ latest }: { readonly until: number; readonly latest: number }) =>
    `journey.until must lie ahead, and before ${brasiliaWallClock(latest).slice(0, 16)} in Brasília, 30 days from now.`,
  remedy: "Choose a time within the next 30 days.",
}) {}

/** The maximum of API Pix (`dataExpiracaoSolicitacao`), and the default for an offer by code. */
export const maxOfferMs = 30 * 86_400_000

const firstChargeable = (request: RecurrenceRequest, holidays: Holidays, from: LocalDate, now: number): LocalDate => {
  const schedule = cycleSchedule({ ...request, startDate: from }, 1, holidays)
  return schedule !== undefined && now < schedule.closesAt
    ? from
    : firstChargeable(request, holidays, addDays(from, 1), now)
}

/**
 * Checks that a request can be offered at `now`. `payableUntil` is the end of the journey's charge. Both are epoch
 * milliseconds.
 */
export const checkOffer = (
  request: RecurrenceRequest,
  holidays: Holidays,
  now: number,
  payableUntil?: number,
): Result.Result<void, StartDateTooEarly | SolicitationOutOfRange> => {
  const { startDate, journey } = request
  const free = payableUntil === undefined ? brasiliaDate(now) : addDays(brasiliaDate(payableUntil), 1)
  const earliest = firstChargeable(request, holidays, startDate < free ? free : startDate, now)
  if (startDate < earliest) return Result.fail(new StartDateTooEarly({ startDate, earliest }))
  const latest = now + maxOfferMs
  if (journey.by === "payment" || journey.until === undefined) return Result.succeed(undefined)
  const { by, until } = journey
  return until <= now || until > latest || (by === "bank" && until === latest)
    ? Result.fail(new SolicitationOutOfRange({ until, latest }))
    : Result.succeed(undefined)
}

/** Stored before the call to the bank. `now` is in epoch milliseconds. */
export const newRecurrence = (
  issuer: Cnpj,
  request: RecurrenceRequest,
  journey: Journey,
  now: number,
): RequestedRecurrence => {
  const stamp = { createdAt: now, version: 1, updatedAt: now, nextCycle: 1 }
  return { ...request, _tag: "Requested", issuer, journey, ...stamp }
}

/** A bank shows a payment and its authorisation sooner than this. */
const approvalMs = 86_400_000

/**
 * Whether the payer can still authorise. After paying a charge with a due date, they can authorise at any later time.
 * `now` is in epoch milliseconds.
 */
export const isOfferOpen = ({ journey }: Recurrence, charge: Charge | undefined, now: number): boolean => {
  if (journey.by !== "payment") return journey.by === "bank" || now < journey.until
  if (charge === undefined) return true
  if (charge._tag === "Pending") return now <= charge.watchUntil
  if (charge._tag === "Cancelled") return false
  return charge.dueDate !== undefined || now < charge.payment.paidAt + approvalMs
}

/** Doesn't compare an erased payer. */
export const isSameOffer = (known: Recurrence, request: RecurrenceRequest): boolean =>
  known.contract === request.contract &&
  known.title === request.title &&
  known.period === request.period &&
  known.startDate === request.startDate &&
  known.endDate === request.endDate &&
  known.amountCents === request.amountCents &&
  known.floorCents === request.floorCents &&
  known.retries === request.retries &&
  String(known.retryOn) === String(request.retryOn) &&
  isSamePayer(known, request) &&
  isSameJourney(known, request)

const isSamePayer = ({ payer, payerErasedAt }: Recurrence, request: RecurrenceRequest): boolean =>
  payerErasedAt !== undefined || (payer?.taxId === request.payer.taxId && payer?.name === request.payer.name)

const isSameJourney = (
  { journey: known, payerErasedAt, createdAt }: Recurrence,
  { journey }: RecurrenceRequest,
): boolean => {
  switch (journey.by) {
    case "code":
      return known.by === "code" && known.until === (journey.until ?? createdAt + maxOfferMs)
    case "payment":
      return known.by === "payment" && known.chargeId === journey.charge.id
    case "bank":
      return (
        known.by === "bank" &&
        known.ispb === journey.ispb &&
        known.until === journey.until &&
        (payerErasedAt !== undefined || (known.branch === journey.branch && known.account === journey.account))
      )
  }
}

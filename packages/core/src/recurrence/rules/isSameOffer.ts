import { maxOfferMs } from "./checkOffer.ts"
import type { Recurrence } from "./Recurrence.ts"
import type { RecurrenceRequest } from "./RecurrenceRequest.ts"

/** Whether a request means the recurrence that its id has. An erased payer can't be compared any more. */
export const isSameOffer = (known: Recurrence, request: RecurrenceRequest): boolean =>
  known.contract === request.contract &&
  known.title === request.title &&
  known.period === request.period &&
  known.startDate === request.startDate &&
  known.endDate === request.endDate &&
  known.amountCents === request.amountCents &&
  known.floorCents === request.floorCents &&
  known.retries === request.retries &&
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

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { brasiliaDate } from "../../calendar/BrasiliaTime.ts"
import { nextBusinessDay } from "../../calendar/BusinessDay.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { daysBetween, type LocalDate } from "../../calendar/LocalDate.ts"
import type { Charge } from "../rules/Charge.ts"
import { type ChargeRequest, immediateLifetimeSeconds } from "../rules/ChargeRequest.ts"
import { payableForSeconds } from "../rules/Expiry.ts"
import { promisedHolidays } from "../rules/LateFees.ts"
import type { Company } from "../../party/Company.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { chargeOrder } from "./chargeOrder.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { logFailure } from "../../runtime/telemetry/index.ts"

/** Whether the processor asks the payer for what is stored, as far as it says: payer, fees and texts are not compared. */
export const asksForTerms = (charge: Charge, { terms }: ProcessorView): boolean =>
  terms === undefined ||
  (terms.amountCents === charge.amountCents &&
    terms.dueDate === charge.dueDate &&
    (terms.payableForSeconds === undefined || terms.payableForSeconds === payableForSeconds(charge)))

/** For how many days after its moved due date the charge was promised to be payable. */
const promisedDays = (charge: Charge, dueDate: LocalDate, holidays: Holidays): number =>
  daysBetween(nextBusinessDay(dueDate, promisedHolidays(charge, holidays)), brasiliaDate(charge.payableUntil))

/** The company with the fees and the days under which the charge was issued. */
const issuerThen = ({ fees: _, ...company }: Company, charge: Charge, holidays: Holidays): Company => ({
  ...company,
  ...(charge.fees && { fees: charge.fees }),
  ...(charge.dueDate && { graceDays: Math.max(0, promisedDays(charge, charge.dueDate, holidays)) }),
})

/** The validity of an immediate charge whose host asked for another than the default. */
const requestedValidity = (charge: Charge): Pick<ChargeRequest, "payableForSeconds"> => {
  const seconds = payableForSeconds(charge)
  return seconds === undefined || seconds === immediateLifetimeSeconds ? {} : { payableForSeconds: seconds }
}

/**
 * Gives the processor's charge its stored terms again, where another call for the same id has changed them.
 *
 * Returns whether the processor refused. Any other failure is logged, and the charge's next check finds the difference.
 */
export const makeRestoreTerms = ({
  processor,
  directory,
  calendar,
}: Pick<ChargePorts, "processor" | "directory" | "calendar">) => {
  const restore = Effect.fnUntraced(function* (stored: Charge) {
    const entry = yield* directory.find(stored.issuer)
    if (entry === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const { company } = entry
    const order = chargeOrder(
      issuerThen(company, stored, calendar.forCompany(company)),
      { ...stored, ...requestedValidity(stored) },
      now,
    )
    return yield* processor.register({ ...order, isStored: true }).pipe(
      Effect.as(false),
      Effect.catchTag(["ChargeConflict", "ProcessorRejected"], (refusal) =>
        Effect.as(
          logFailure("Error", `The stored terms of charge ${stored.id} are refused by the processor`, refusal),
          true,
        ),
      ),
    )
  })

  return (stored: Charge): Effect.Effect<boolean> =>
    Effect.catchCause(restore(stored), (cause) =>
      Effect.as(logFailure("Warn", `The terms of charge ${stored.id} could not be restored yet`, cause), false),
    )
}

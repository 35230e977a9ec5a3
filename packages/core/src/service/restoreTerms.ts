import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Charge } from "../charge/Charge.ts"
import { type ChargeRequest, immediateLifetimeSeconds } from "../charge/ChargeRequest.ts"
import { payableForSeconds } from "../charge/Expiry.ts"
import type { Company } from "../party/Company.ts"
import type { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import type { PaymentProcessor, ProcessorView } from "../ports/PaymentProcessor.ts"
import { chargeOrder } from "./chargeOrder.ts"
import { logFailure } from "../telemetry/index.ts"

/** Whether the processor asks the payer for what is stored, as far as it says: payer, fees and texts are not compared. */
export const asksForTerms = (charge: Charge, { terms }: ProcessorView): boolean =>
  terms === undefined ||
  (terms.amountCents === charge.amountCents &&
    terms.dueDate === charge.dueDate &&
    (terms.payableForSeconds === undefined || terms.payableForSeconds === payableForSeconds(charge)))

/** The company with the fees under which the charge was issued. */
const issuerThen = ({ fees: _, ...company }: Company, { fees }: Charge): Company => ({
  ...company,
  ...(fees && { fees }),
})

/** The validity of an immediate charge whose host asked for another than the default. */
const askedValidity = (charge: Charge): Pick<ChargeRequest, "payableForSeconds"> => {
  const seconds = payableForSeconds(charge)
  return seconds === undefined || seconds === immediateLifetimeSeconds ? {} : { payableForSeconds: seconds }
}

/**
 * The stored charge decides: what the processor holds with the terms of another call for the same id is changed back.
 * Whether the processor refused that. Any other failure is logged; the charge's next check finds the difference.
 */
export const makeRestoreTerms = (processor: PaymentProcessor["Service"], directory: CompanyDirectory["Service"]) => {
  const restore = Effect.fnUntraced(function* (stored: Charge) {
    const entry = yield* directory.find(stored.issuer)
    if (entry === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const order = chargeOrder(issuerThen(entry.company, stored), { ...stored, ...askedValidity(stored) }, now)
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

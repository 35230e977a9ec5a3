import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Charge } from "../charge/Charge.ts"
import type { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import type { PaymentProcessor, ProcessorView } from "../ports/PaymentProcessor.ts"
import { chargeOrder } from "./chargeOrder.ts"

/** Whether the processor asks the payer for what is stored, as far as it says. */
export const asksForTerms = ({ amountCents, dueDate }: Charge, { terms }: ProcessorView): boolean =>
  terms === undefined || (terms.amountCents === amountCents && terms.dueDate === dueDate)

/**
 * The stored charge decides: what the processor holds with the terms of another call for the same id is changed back. What
 * fails here is logged; the charge's next check finds the difference and tries again.
 */
export const makeRestoreTerms =
  (processor: PaymentProcessor["Service"], directory: CompanyDirectory["Service"]) =>
  (stored: Charge): Effect.Effect<void> =>
    Effect.gen(function* () {
      const entry = yield* directory.find(stored.issuer)
      if (entry === undefined) return
      const now = yield* Clock.currentTimeMillis
      yield* processor.register({ ...chargeOrder(entry.company, stored, now), isStored: true })
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.logError(`The processor holds other terms of charge ${stored.id} than are stored`, cause),
      ),
    )

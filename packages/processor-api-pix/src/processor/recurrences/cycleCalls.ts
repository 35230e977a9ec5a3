import type { ProcessorUnavailable } from "@pixcharge/core"
import type { CycleCharge, Txid } from "@pixcharge/core/charges"
import type * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import { type PspCycle, cycleReaderFor } from "../../wire/CobR.ts"
import { cyclePath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { isAboutRequest, orUndefinedIfSure } from "../chargeCalls.ts"
import { readMissing } from "./readMissing.ts"

/** The cycle's charge as the bank knows it; undefined where it says itself that it has none. */
export const findCycle = (
  client: PspClient,
  txid: Txid,
): Effect.Effect<PspCycle | undefined, ProcessorUnavailable | PspRefusal> =>
  orUndefinedIfSure(
    "lookupCycle",
    readMissing(
      client.call({
        operation: "lookupCycle",
        method: "GET",
        path: cyclePath(txid),
        read: cycleReaderFor(txid),
        mayBeMissing: true,
      }),
    ),
  )

/** Whether the bank's charge is this one: of its recurrence, its amount and its day, as far as the bank shows them. */
export const isSameCycle = (charge: CycleCharge, known: PspCycle): boolean =>
  (known.bankId ?? charge.cycle.bankId) === charge.cycle.bankId &&
  known.amountCents === charge.amountCents &&
  (known.dueDate ?? charge.dueDate) === charge.dueDate

/** The refusal is about the charge, and no earlier attempt of the call can have been carried out. */
export const isAboutCharge = (refusal: PspRefusal): boolean =>
  refusal.hasUnansweredAttempt !== true && isAboutRequest(refusal)

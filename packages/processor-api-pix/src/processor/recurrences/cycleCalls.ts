import { ProcessorRejected, type ProcessorUnavailable } from "@pixcharge/core"
import type { Charge, Txid } from "@pixcharge/core/charges"
import type { ChargeCycle } from "@pixcharge/core/recurrence"
import type * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PspClient } from "../../http/PspClient.ts"
import { type PspCycle, cycleReaderFor } from "../../wire/CobR.ts"
import { cyclePath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { orUndefinedIfSure } from "../chargeCalls.ts"
import { readMissing } from "./readMissing.ts"

/** What makes a charge that of a cycle; the callers have looked. */
export const readCycle = ({ id, cycle }: Charge): ChargeCycle => {
  if (cycle === undefined) throw new TypeError(`the charge ${id} is of no recurrence`)
  return cycle
}

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
export const isSameCycle = (charge: Charge, known: PspCycle): boolean =>
  (known.bankId ?? readCycle(charge).bankId) === readCycle(charge).bankId &&
  known.amountCents === charge.amountCents &&
  (known.dueDate ?? charge.dueDate) === charge.dueDate

/** The bank refuses, for a reason in words of ours. */
export const makeRejected = (operation: string, why: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(why) })

/** The refusal is about the charge itself; any other one (403, ...) is about us, and passes once that is mended. */
export const isAboutCharge = ({ status, hasUnansweredAttempt }: PspRefusal): boolean =>
  hasUnansweredAttempt !== true && [400, 404, 410, 422].includes(status)

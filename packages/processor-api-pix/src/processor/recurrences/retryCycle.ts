import { ProcessorUnavailable } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import { retryPath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { readNothing } from "../../wire/Reader.ts"
import { failRejected, failUnavailable } from "../chargeCalls.ts"
import { findCycle, isAboutCharge } from "./cycleCalls.ts"

const operation = "retryCycle"

/** A second call for a day is refused, because the first was carried out: then the attempt is there. */
const resolveRefusal = Effect.fnUntraced(function* (
  client: PspClient,
  { txid }: CycleCharge,
  on: LocalDate,
  refusal: PspRefusal,
) {
  const known = yield* Effect.catchTag(findCycle(client, txid), "PspRefusal", failUnavailable(operation))
  if (known?.attempts.some((attempt) => attempt.on === on) === true) return
  return yield* isAboutCharge(refusal) ? refusal : new ProcessorUnavailable({ operation, cause: refusal })
})

/** Asks for a new attempt on a day (`POST /cobr/{txid}/retentativa/{data}`), of which the bank makes one a day at most. */
export const retryCycle = Effect.fnUntraced(
  function* (client: PspClient, charge: CycleCharge, on: LocalDate) {
    const requested = client.call({
      operation,
      method: "POST",
      path: retryPath(charge.txid, on),
      read: readNothing,
    })
    yield* Effect.catchTag(requested, "PspRefusal", (refusal) => resolveRefusal(client, charge, on, refusal))
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)

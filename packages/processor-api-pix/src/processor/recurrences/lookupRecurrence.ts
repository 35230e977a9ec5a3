import type { Recurrence } from "@pixcharge/core/recurrence"
import type { OtherBankIds } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import { failUnavailable } from "../chargeCalls.ts"
import { findByContract, findRecurrence } from "./findRecurrence.ts"
import { toRecurrenceView } from "./toRecurrenceView.ts"

/** Its id at the bank, where that is known. */
export const readBankId = (recurrence: Recurrence): string | undefined =>
  "bankId" in recurrence ? recurrence.bankId : undefined

/** What the bank shows of a recurrence, by its id there or else by its contract; undefined where it knows none. */
export const lookupRecurrence = Effect.fnUntraced(
  function* (client: PspClient, recurrence: Recurrence, others?: OtherBankIds) {
    const bankId = readBankId(recurrence)
    const known = yield* bankId === undefined
      ? findByContract(client, recurrence, others)
      : findRecurrence(client, bankId)
    return known && toRecurrenceView(recurrence, known)
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookupRecurrence")),
)

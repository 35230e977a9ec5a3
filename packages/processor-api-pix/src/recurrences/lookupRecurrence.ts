import { ProcessorUnavailable } from "@pixcharge/core"
import type { Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import type { OtherBankIds } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import { failRejected, failUnavailable } from "../processor/refusals.ts"
import { readShown } from "../wire/Reader.ts"
import { type PspRecurrence, recurrenceReaderFor } from "../wire/Rec.ts"
import { cancellationBody } from "../wire/bodies.ts"
import { recurrencePath } from "../wire/paths.ts"
import { findByContract, findRecurrence } from "./findRecurrence.ts"

const readBankId = (recurrence: Recurrence): string | undefined =>
  "bankId" in recurrence ? recurrence.bankId : undefined

/** By id or contract; undefined if the bank doesn't know it. */
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

/** While a request is live, the recurrence's own status is the valid one. */
export const isLiveRequest = (status: PspRecurrence["requests"][number]): boolean =>
  status === "open" || status === "accepted" || status === "unknown"

/** An offer through the payer's bank can't be authorised after its request has ended. */
const readOffer = ({ status, requests }: PspRecurrence): RecurrenceView["status"] => {
  if (status !== "offered" || requests.some(isLiveRequest)) return status
  return requests.findLast((request) => request === "declined" || request === "expired") ?? status
}

/**
 * Keeps the code only for a journey by code: in a journey by payment, this code lacks the charge, so it only
 * authorises.
 */
export const toRecurrenceView = ({ journey }: Recurrence, known: PspRecurrence): RecurrenceView => {
  const { contract: _, location: __, requests: ___, brCode, ...view } = known
  return {
    ...view,
    status: journey.by === "bank" ? readOffer(known) : view.status,
    ...(journey.by === "code" && brCode !== undefined && { brCode }),
  }
}

const operation = "endRecurrence"

const isOver = (known: PspRecurrence | undefined): known is PspRecurrence =>
  known !== undefined && known.status !== "offered" && known.status !== "approved" && known.status !== "unknown"

/** `CANCELADA`. After a refusal, returns the bank's recurrence if it had already ended. */
export const endRecurrence = Effect.fnUntraced(
  function* (client: PspClient, recurrence: Recurrence & { readonly bankId: string }) {
    const { bankId } = recurrence
    const ended = yield* Effect.result(
      client.call({
        operation,
        method: "PATCH",
        path: recurrencePath(bankId),
        body: cancellationBody,
        // Some banks return an empty body or the unchanged recurrence.
        read: readShown(recurrenceReaderFor(bankId)),
      }),
    )
    if (Result.isFailure(ended) && ended.failure._tag === "ProcessorUnavailable") return yield* ended.failure
    if (Result.isSuccess(ended) && isOver(ended.success)) return toRecurrenceView(recurrence, ended.success)
    const known = yield* Effect.catchTag(findRecurrence(client, bankId), "PspRefusal", failUnavailable(operation))
    if (Result.isFailure(ended) && !isOver(known)) return yield* ended.failure
    return known === undefined
      ? yield* new ProcessorUnavailable({ operation, cause: "the bank doesn't show it" })
      : toRecurrenceView(recurrence, known)
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)

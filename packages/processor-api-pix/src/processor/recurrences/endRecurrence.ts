import { ProcessorUnavailable } from "@pixcharge/core"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../../http/PspClient.ts"
import { recurrencePath } from "../../wire/paths.ts"
import { type PspRecurrence, recurrenceReaderFor } from "../../wire/Rec.ts"
import { readShown } from "../../wire/Reader.ts"
import { cancellationBody } from "../../wire/recurrenceBodies.ts"
import { failRejected, failUnavailable } from "../chargeCalls.ts"
import { findRecurrence } from "./findRecurrence.ts"
import { toRecurrenceView } from "./toRecurrenceView.ts"

const operation = "endRecurrence"

const isOver = (known: PspRecurrence | undefined): known is PspRecurrence =>
  known !== undefined && known.status !== "offered" && known.status !== "approved" && known.status !== "unknown"

/** Ends a recurrence (`CANCELADA`). A refusal may mean that it was over before: then what the bank shows is the answer. */
export const endRecurrence = Effect.fnUntraced(
  function* (client: PspClient, recurrence: Recurrence & { readonly bankId: string }) {
    const { bankId } = recurrence
    const ended = yield* Effect.result(
      client.call({
        operation,
        method: "PATCH",
        path: recurrencePath(bankId),
        body: cancellationBody,
        // Some banks return nothing, or the recurrence as it was before.
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

import { ProcessorUnavailable, type RefundOrder } from "@pixcharge/core"
import type { RefundOutcome } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import { type PspReturn, returnBody, returnReaderFor } from "../wire/PixBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { UnreadableAnswer } from "../wire/Reader.ts"
import { returnPath } from "../wire/paths.ts"
import { failUnavailable, isAboutRequest, orUndefined } from "./refusals.ts"

const toOutcome = ({ status, at, reason, amountCents }: PspReturn, now: number): RefundOutcome => {
  switch (status) {
    case "processing":
      return { _tag: "Processing" }
    case "returned":
      return { _tag: "Returned", returnedAt: at ?? now, amountCents }
    case "rejected":
      return { _tag: "Rejected", reason: reason ?? "not carried out" }
  }
}

const makeRefundCall = ({ endToEndId, refundId }: RefundOrder) => ({
  path: returnPath(endToEndId, refundId),
  read: returnReaderFor(refundId),
})

const findRefund = (client: PspClient, order: RefundOrder) =>
  orUndefined(client.call({ ...makeRefundCall(order), operation: "lookupRefund", method: "GET", mayBeMissing: true }))

/** After an unreadable answer or another amount, looks the refund up. */
const putRefund = Effect.fnUntraced(function* (client: PspClient, order: RefundOrder) {
  const { path, read } = makeRefundCall(order)
  const isOrdered = ({ amountCents }: PspReturn): boolean => amountCents === order.amountCents
  const answered = yield* client.call({
    operation: "refund",
    method: "PUT",
    path,
    body: returnBody(order, client.profile),
    read: (json) =>
      Result.succeed(Result.filterOrFail(read(json), isOrdered, () => new UnreadableAnswer({ fields: ["valor"] }))),
  })
  if (Result.isSuccess(answered)) return answered.success
  const known = yield* Effect.catchTag(findRefund(client, order), "PspRefusal", failUnavailable("refund"))
  return known ?? (yield* new ProcessorUnavailable({ operation: "refund", cause: answered.failure }))
})

/**
 * Looks up the refund after a refusal, because an earlier call can have requested it under this id. If the bank doesn't
 * show it, an unanswered attempt can still be executed. A 409 means that another call is requesting it now.
 */
const resolveRefusal = Effect.fnUntraced(function* (client: PspClient, order: RefundOrder, refusal: PspRefusal) {
  const known = yield* findRefund(client, order)
  if (known !== undefined) return toOutcome(known, yield* Clock.currentTimeMillis)
  if (refusal.hasUnansweredAttempt === true) return yield* refusal
  if (refusal.status === 409) return { _tag: "Processing" } satisfies RefundOutcome
  return isAboutRequest(refusal)
    ? ({ _tag: "Rejected", reason: Redacted.value(refusal.reason) } satisfies RefundOutcome)
    : yield* refusal
})

/** `PUT /pix/{e2eid}/devolucao/{id}`. Repeated calls with the same id return the money only once. */
export const refund = Effect.fnUntraced(
  function* (
    client: PspClient,
    order: RefundOrder,
  ): Effect.fn.Return<RefundOutcome, ProcessorUnavailable | PspRefusal> {
    const made = yield* Effect.result(putRefund(client, order))
    if (Result.isSuccess(made)) return toOutcome(made.success, yield* Clock.currentTimeMillis)
    if (made.failure._tag === "ProcessorUnavailable") return yield* made.failure
    return yield* resolveRefusal(client, order, made.failure)
  },
  Effect.catchTag("PspRefusal", failUnavailable("refund")),
)

/** Looks up a refund; undefined if the bank doesn't know its id. */
export const lookupRefund = Effect.fnUntraced(
  function* (client: PspClient, order: RefundOrder) {
    const known = yield* findRefund(client, order)
    return known && toOutcome(known, yield* Clock.currentTimeMillis)
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookupRefund")),
)

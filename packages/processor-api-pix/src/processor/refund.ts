import { ProcessorUnavailable, type RefundOrder, type RefundOutcome } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../http/PspClient.ts"
import { returnPath } from "../wire/paths.ts"
import { type PspReturn, readReturnOf, returnBody } from "../wire/PixBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { orMissing } from "./findCharge.ts"

const outcomeOf = ({ status, at, reason }: PspReturn, now: number): RefundOutcome => {
  switch (status) {
    case "processing":
      return { _tag: "Processing" }
    case "returned":
      return { _tag: "Returned", returnedAt: at ?? now }
    case "rejected":
      return { _tag: "Rejected", reason: reason ?? "not carried out" }
  }
}

const find = (client: PspClient, { endToEndId, refundId, amountCents }: RefundOrder) =>
  orMissing(
    client.call({
      operation: "lookupRefund",
      method: "GET",
      path: returnPath(endToEndId, refundId),
      read: readReturnOf(refundId, amountCents),
    }),
  )

const ask = (client: PspClient, { endToEndId, refundId, amountCents }: RefundOrder) =>
  client.call({
    operation: "refund",
    method: "PUT",
    path: returnPath(endToEndId, refundId),
    body: returnBody(amountCents),
    read: readReturnOf(refundId, amountCents),
  })

/** The bank judged the refund itself; any other refusal (403, ...) is about us, and says nothing of the money. */
const isJudged = ({ status }: PspRefusal): boolean => [400, 404, 410, 422].includes(status)

const unavailable = (operation: string) => (cause: PspRefusal) =>
  Effect.fail(new ProcessorUnavailable({ operation, cause }))

/**
 * A refusal may only mean that this id was asked for before: then what became of that is the answer. While the bank shows
 * nothing under the id, an ask of this very call that got no answer may still be carried out, and a conflict (409) says
 * that one of another call is.
 */
const afterRefusal = Effect.fnUntraced(function* (client: PspClient, order: RefundOrder, refusal: PspRefusal) {
  const known = yield* find(client, order)
  if (known !== undefined) return outcomeOf(known, yield* Clock.currentTimeMillis)
  if (refusal.isAfterSilence === true) return yield* refusal
  if (refusal.status === 409) return { _tag: "Processing" } satisfies RefundOutcome
  return isJudged(refusal) ? ({ _tag: "Rejected", reason: refusal.reason } satisfies RefundOutcome) : yield* refusal
})

/** Asks for a return under an id of ours (`PUT /pix/{e2eid}/devolucao/{id}`): the same id returns the money once. */
export const refund = Effect.fnUntraced(
  function* (
    client: PspClient,
    order: RefundOrder,
  ): Effect.fn.Return<RefundOutcome, ProcessorUnavailable | PspRefusal> {
    const made = yield* Effect.result(ask(client, order))
    if (Result.isSuccess(made)) return outcomeOf(made.success, yield* Clock.currentTimeMillis)
    if (made.failure._tag === "ProcessorUnavailable") return yield* made.failure
    return yield* afterRefusal(client, order, made.failure)
  },
  Effect.catchTag("PspRefusal", unavailable("refund")),
)

/** What became of a return (`GET` of the same); undefined when the bank never heard of it. */
export const lookupRefund = Effect.fnUntraced(
  function* (client: PspClient, order: RefundOrder) {
    const known = yield* find(client, order)
    return known && outcomeOf(known, yield* Clock.currentTimeMillis)
  },
  Effect.catchTag("PspRefusal", unavailable("lookupRefund")),
)

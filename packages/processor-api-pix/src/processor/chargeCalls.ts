import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import type { Txid } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { PspCall } from "../http/PspCall.ts"
import type { PspClient } from "../http/PspClient.ts"
import { type PspCharge, chargeReaderFor } from "../wire/Cob.ts"
import { chargePath } from "../wire/paths.ts"
import type { PspRefusal } from "../wire/Problem.ts"

type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

/** Undefined for what the bank doesn't have (404) or no longer has (410); any other refusal fails. */
export const orUndefined = <A>(found: Found<A>): Found<A | undefined> =>
  Effect.catchTag(found, "PspRefusal", (refusal) =>
    refusal.status === 404 || refusal.status === 410 ? Effect.succeed(undefined) : Effect.fail(refusal),
  )

/**
 * The same where something irrevocable follows from it: only the bank's own word counts, and what may be a proxy's fails with
 * `ProcessorUnavailable`.
 */
export const orUndefinedIfSure = <A>(operation: string, found: Found<A>): Found<A | undefined> =>
  orUndefined(
    Effect.mapError(found, (error) =>
      error._tag === "PspRefusal" && error.isBare === true
        ? new ProcessorUnavailable({ operation, cause: error })
        : error,
    ),
  )

/** For `catchTag`: a refusal that says nothing of what was asked for. */
export const failUnavailable = (operation: string) => (cause: PspRefusal) =>
  Effect.fail(new ProcessorUnavailable({ operation, cause }))

/** What was asked for is refused, for a reason in words of ours. */
export const makeRejected = (operation: string, reason: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(reason) })

/** The refusal is about what was asked for; any other one (403, ...) is about us, and passes once that is mended. */
export const isAboutRequest = ({ status }: PspRefusal): boolean => [400, 404, 410, 422].includes(status)

/** For `catchTag`: the bank refuses what was asked for. */
export const failRejected =
  (operation: string) =>
  ({ status, reason }: PspRefusal) =>
    Effect.fail(new ProcessorRejected({ operation, status, reason }))

const lookUp = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge> =>
  client.call({
    operation: "lookup",
    method: "GET",
    path: chargePath(txid, isDueDate),
    read: chargeReaderFor(txid, client.profile.codeFields),
    mayBeMissing: true,
  })

/** The charge as the bank knows it; undefined when it knows none of this kind, or shows nothing. */
export const findCharge = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge | undefined> =>
  orUndefined(lookUp(client, txid, isDueDate))

/** The same where something irrevocable follows from its absence (`orUndefinedIfSure`). */
export const findChargeOrFail = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge | undefined> =>
  orUndefinedIfSure("lookup", lookUp(client, txid, isDueDate))

/**
 * Makes or changes a charge, to which the bank returns the charge. Some return nothing, or less than a charge:
 * then it is looked up. Fails with `PspRefusal` only where the call itself is refused.
 */
export const changeCharge = Effect.fnUntraced(function* (
  client: PspClient,
  txid: Txid,
  isDueDate: boolean,
  call: Pick<PspCall<PspCharge>, "operation" | "method" | "body">,
): Effect.fn.Return<PspCharge, ProcessorUnavailable | PspRefusal> {
  const { operation } = call
  const read = chargeReaderFor(txid, client.profile.codeFields)
  const answered = yield* client.call({
    ...call,
    path: chargePath(txid, isDueDate),
    read: (json) => Result.succeed(read(json)),
  })
  if (Result.isSuccess(answered)) return answered.success
  const known = yield* Effect.catchTag(findCharge(client, txid, isDueDate), "PspRefusal", failUnavailable(operation))
  return known ?? (yield* new ProcessorUnavailable({ operation, cause: answered.failure }))
})

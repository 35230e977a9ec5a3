import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import type { Txid } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import type { PspCall, PspClient } from "../http/PspClient.ts"
import { type PspCharge, chargeReaderFor } from "../wire/Cob.ts"
import { chargePath } from "../wire/paths.ts"
import type { PspRefusal } from "../wire/Problem.ts"

type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

/** Undefined for what the bank doesn't have (404) or no longer has (410); any other refusal fails. */
export const undefinedIfMissing = <A>(found: Found<A>): Found<A | undefined> =>
  Effect.catchTag(found, "PspRefusal", (refusal) =>
    refusal.status === 404 || refusal.status === 410 ? Effect.succeed(undefined) : Effect.fail(refusal),
  )

/** For `catchTag`: a refusal that says nothing of what was asked for. */
export const failUnavailable = (operation: string) => (cause: PspRefusal) =>
  Effect.fail(new ProcessorUnavailable({ operation, cause }))

/** For `catchTag`: the bank refuses what was asked for. */
export const failRejected =
  (operation: string) =>
  ({ status, reason }: PspRefusal) =>
    Effect.fail(new ProcessorRejected({ operation, status, reason }))

/** A call about one charge, which the bank answers with the charge. */
export const callCharge = (
  client: PspClient,
  txid: Txid,
  isDueDate: boolean,
  call: Pick<PspCall<PspCharge>, "operation" | "method" | "body">,
): Found<PspCharge> =>
  client.call({ ...call, path: chargePath(txid, isDueDate), read: chargeReaderFor(txid, client.profile.codeFields) })

/** The charge as the bank knows it; undefined when it knows none of this kind. */
export const findCharge = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge | undefined> =>
  undefinedIfMissing(callCharge(client, txid, isDueDate, { operation: "lookup", method: "GET" }))

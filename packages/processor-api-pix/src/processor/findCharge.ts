import type { ProcessorUnavailable } from "@pixcharge/core"
import type { Txid } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { type PspCharge, chargeReaderFor } from "../wire/Cob.ts"
import { chargePath } from "../wire/paths.ts"
import type { PspRefusal } from "../wire/Problem.ts"

/** Undefined for what the bank doesn't have (404) or no longer has (410); any other refusal fails. */
export const undefinedIfMissing = <A>(
  found: Effect.Effect<A, ProcessorUnavailable | PspRefusal>,
): Effect.Effect<A | undefined, ProcessorUnavailable | PspRefusal> =>
  Effect.catchTag(found, "PspRefusal", (refusal) =>
    refusal.status === 404 || refusal.status === 410 ? Effect.succeed(undefined) : Effect.fail(refusal),
  )

/** The charge as the bank knows it; undefined when it knows none of this kind. */
export const findCharge = (
  client: PspClient,
  txid: Txid,
  isDueDate: boolean,
): Effect.Effect<PspCharge | undefined, ProcessorUnavailable | PspRefusal> =>
  undefinedIfMissing(
    client.call({
      operation: "lookup",
      method: "GET",
      path: chargePath(txid, isDueDate),
      read: chargeReaderFor(txid, client.profile.codeFields),
    }),
  )

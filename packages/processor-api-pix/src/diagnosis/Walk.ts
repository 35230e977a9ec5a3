import type { DiagnosisOrder, ProcessorUnavailable } from "@pixcharge/core"
import { chargeTxid, parseChargeId, type Txid } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import type { PspCall } from "../client/PspCall.ts"
import type { PspClient } from "../client/PspClient.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { readFields } from "../wire/Reader.ts"

export const walkedPollMs = 1_000

export type ProfilePatch = Partial<PspWays>

export type BankWalk = Required<DiagnosisOrder>["walk"]

export interface Walked {
  readonly client: PspClient
  readonly issuer: Cnpj
  readonly pixKey: string
}

type WalkCall = Pick<PspCall<unknown>, "method" | "path" | "query" | "headers" | "body">

export const ask = (
  { call }: PspClient,
  walked: WalkCall,
): Effect.Effect<Result.Result<Readonly<Record<string, unknown>>, PspRefusal>, ProcessorUnavailable> =>
  call({
    ...walked,
    operation: "walk",
    read: (json) => Result.succeed(readFields(json)),
    ...(walked.method === "GET" && { mayBeMissing: true as const }),
  }).pipe(
    Effect.map((fields) => Result.succeed(fields)),
    Effect.catchTag("PspRefusal", (refusal) => Effect.succeed(Result.fail(refusal))),
  )

export const newTxid = (issuer: Cnpj): Txid => chargeTxid(issuer, Result.getOrThrow(parseChargeId(randomUUID())))

/** The bank's kind of refusal for a missing resource, if its status isn't 404. */
export const findAbsentKind = ({ absentKinds }: PspWays, found: Result.Result<unknown, PspRefusal>): ProfilePatch => {
  if (Result.isSuccess(found) || ![400, 422].includes(found.failure.status)) return {}
  const { kind } = found.failure
  return kind === undefined ? {} : { absentKinds: [...absentKinds, kind] }
}

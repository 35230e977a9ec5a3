import type { Cnpj, Exchange, PixCharges } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readJson } from "../readJson.ts"
import { chargeReplyBody, decodeChargeBody } from "../wire/ChargeBody.ts"
import { failureReply, jsonReply } from "../wire/Envelope.ts"
import { invalidField } from "../wire/messages.ts"

/** Issues the charge that the body asks for. */
export const issueCharge = (charges: PixCharges["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, exchange: Exchange) {
    const json = yield* Effect.result(readJson(exchange))
    if (Result.isFailure(json)) return failureReply(json.failure)
    const request = decodeChargeBody(json.success)
    if (Result.isFailure(request)) return failureReply(invalidField(request.failure))
    return jsonReply(200, chargeReplyBody(yield* charges.issue(issuer, request.success)))
  })

import type { Exchange } from "@pixcharge/core"
import * as Result from "effect/Result"
import { parseBasic, type Secret, toSecret } from "./parseSecret.ts"
import { readJson } from "./readJson.ts"
import { isCredentialsBody } from "./wire/CredentialsBody.ts"
import type { Failure } from "./wire/messages.ts"

/**
 * The credentials of `POST /api/token`: from an `Authorization: Basic` header, or else from the body. Undefined if they
 * can't be read, which is answered as wrong ones are; a failure if the body itself can't be.
 */
export const readCredentials = async (exchange: Exchange): Promise<Result.Result<Secret | undefined, Failure>> => {
  const basic = parseBasic(exchange.header("authorization"))
  if (basic !== null) return Result.succeed(basic)
  return Result.map(await readJson(exchange), (json) =>
    isCredentialsBody(json) ? toSecret(json.cnpj, json.chave) : undefined,
  )
}

import { centsFromReais } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import { hasShape } from "./JsonShape.ts"

/** The status query's answer about a charge (`GET /api/pix/{idFaturaPag}`, decision 15). */
export type StatusAnswer =
  | { readonly _tag: "Paid"; readonly chargeId: string; readonly amountCents: number }
  | { readonly _tag: "Refunded" }

/** `vLanc` is in reais. */
const paidShape = { sucesso: true, data: { response: { referencia: "string", vLanc: "number" } } } as const

/** The body of the token route (decision 3). */
const tokenShape = { sucesso: true, data: "string" } as const

/** What an answer says about the charge; undefined for an unknown answer. `errorCode` is the `Pix-Erro` header. */
export const readStatusAnswer = (status: number, errorCode: string | null, body: unknown): StatusAnswer | undefined => {
  if (status === 409 && errorCode === "cobranca-estornada") return { _tag: "Refunded" }
  if (status !== 200 || !hasShape(body, paidShape)) return undefined
  const { referencia, vLanc } = body.data.response
  const cents = centsFromReais(vLanc)
  return Result.isSuccess(cents)
    ? { _tag: "Paid", chargeId: referencia.toLowerCase(), amountCents: cents.success }
    : undefined
}

export const readToken = (body: unknown): string | undefined => (hasShape(body, tokenShape) ? body.data : undefined)

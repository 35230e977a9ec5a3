import { centsFromReais } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import { hasShape } from "./JsonShape.ts"

/** The status query's answer about a charge (`GET /api/pix/{idFaturaPag}`, decision 15). */
export type StatusAnswer =
  | { readonly _tag: "Paid"; readonly chargeId: string; readonly amountCents: number }
  | { readonly _tag: "Refunding" | "Refunded" | "Cancelled" | "Expired" }

/** `vLanc` is in reais. */
const paidShape = { sucesso: true, data: { response: { referencia: "string", vLanc: "number" } } } as const

/** The body of the token route (decision 3). */
const tokenShape = { sucesso: true, data: "string" } as const

/** By the status and the `Pix-Erro` header. */
const states: Readonly<Record<string, StatusAnswer | undefined>> = {
  "409 estorno-em-andamento": { _tag: "Refunding" },
  "409 cobranca-estornada": { _tag: "Refunded" },
  "409 cobranca-cancelada": { _tag: "Cancelled" },
  "410 cobranca-expirada": { _tag: "Expired" },
}

/** Undefined for an unknown answer. `errorCode` is the `Pix-Erro` header. */
export const readStatusAnswer = (status: number, errorCode: string | null, body: unknown): StatusAnswer | undefined => {
  if (status !== 200) return states[`${status} ${errorCode}`]
  if (!hasShape(body, paidShape)) return undefined
  const { referencia, vLanc } = body.data.response
  const cents = centsFromReais(vLanc)
  return Result.isSuccess(cents)
    ? { _tag: "Paid", chargeId: referencia.toLowerCase(), amountCents: cents.success }
    : undefined
}

export const readToken = (body: unknown): string | undefined => (hasShape(body, tokenShape) ? body.data : undefined)

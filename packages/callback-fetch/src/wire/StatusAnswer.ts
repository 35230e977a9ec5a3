import { centsFromReais } from "@pixcharge/core/money"
import * as Result from "effect/Result"

/** What the status query says of a charge (interface, `GET /api/pix/{idFaturaPag}`; decision 15). */
export type StatusAnswer =
  | { readonly _tag: "Paid"; readonly chargeId: string; readonly amountCents: number }
  | { readonly _tag: "Refunded" }
  /** Neither of them, as far as can be said. */
  | { readonly _tag: "Other" }

/** The charge's state behind an answer to the status query. */
export const statusOf = (status: number, errorCode: string | null, body: unknown): StatusAnswer => {
  if (status === 409 && errorCode === "cobranca-estornada") return { _tag: "Refunded" }
  if (status !== 200 || !isPaidBody(body)) return { _tag: "Other" }
  const { referencia, vLanc } = body.data.response
  const cents = centsFromReais(vLanc)
  return Result.isSuccess(cents)
    ? { _tag: "Paid", chargeId: referencia.toLowerCase(), amountCents: cents.success }
    : { _tag: "Other" }
}

interface PaidBody {
  readonly sucesso: true
  readonly data: { readonly response: { readonly referencia: string; readonly vLanc: number } }
}

const isPaidBody = (body: unknown): body is PaidBody => {
  const { sucesso, data } = (body ?? {}) as Partial<PaidBody>
  const response = data?.response
  return sucesso === true && typeof response?.referencia === "string" && typeof response.vLanc === "number"
}

/** The token in the answer of the token route (decision 3). */
export const tokenOf = (body: unknown): string | undefined => {
  const { sucesso, data } = (body ?? {}) as { readonly sucesso?: unknown; readonly data?: unknown }
  return sucesso === true && typeof data === "string" ? data : undefined
}

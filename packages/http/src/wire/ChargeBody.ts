import {
  type ChargeRequest,
  type ChargeRequestField,
  type ChargeRequestInput,
  type ContractField,
  type ContractTerms,
  type IssuedCharge,
  parseChargeRequest,
} from "@pixcharge/core/charges"
import { centsFromReais } from "@pixcharge/core/money"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ChargeBody, ChargeReplyBody } from "./schemas/ChargeBody.ts"
import { results, type WireField } from "./messages.ts"

const wireFields: Readonly<Record<ContractField, WireField>> = {
  id: "formaPagamento.idFaturaPag",
  amount: "formaPagamento.valorPagamento",
  dueDate: "formaPagamento.dataVencimento",
  "payer.name": "cliente.xNome",
  "payer.taxId": "cliente.documento",
}

/** The contract has no fields that only a host can set (decision 48). */
const isWireField = (field: ChargeRequestField): field is ContractField => field in wireFields

/** The first field whose type differs from that in `schemas`; `""` means the whole body. */
const findMistyped = (body: unknown): WireField | undefined => {
  if (!Predicate.isObject(body)) return ""
  const { formaPagamento, cliente } = body
  if (!Predicate.isObject(formaPagamento)) return "formaPagamento"
  const { tpTransacao, idFaturaPag, modPagamento, valorPagamento, dataVencimento } = formaPagamento
  if (tpTransacao !== 11) return "formaPagamento.tpTransacao"
  if (typeof idFaturaPag !== "string") return "formaPagamento.idFaturaPag"
  if (modPagamento !== 18) return "formaPagamento.modPagamento"
  if (!Number.isFinite(valorPagamento)) return "formaPagamento.valorPagamento"
  if ("dataVencimento" in formaPagamento && typeof dataVencimento !== "string") return "formaPagamento.dataVencimento"
  if (!("cliente" in body)) return undefined
  if (!Predicate.isObject(cliente)) return "cliente"
  if (typeof cliente["xNome"] !== "string") return "cliente.xNome"
  return typeof cliente["documento"] === "string" ? undefined : "cliente.documento"
}

/** The failure is the first field whose rule the value breaks. */
export const decodeChargeBody = (value: unknown): Result.Result<ChargeRequest, WireField> => {
  const mistyped = findMistyped(value)
  if (mistyped !== undefined) return Result.fail(mistyped)
  const { formaPagamento, cliente } = value as typeof ChargeBody.Type
  const amount = centsFromReais(formaPagamento.valorPagamento)
  const terms: Required<Pick<ChargeRequestInput, keyof ContractTerms>> = {
    id: formaPagamento.idFaturaPag,
    // NaN breaks the amount's rule, so fields are refused in the usual order.
    amountCents: Result.getOrElse(amount, () => Number.NaN),
    dueDate: formaPagamento.dataVencimento,
    payer: cliente && { name: cliente.xNome, taxId: cliente.documento },
  }
  return Result.mapBoth(parseChargeRequest(terms), {
    onSuccess: (parsed): ChargeRequest => ({ isOfContract: true, ...parsed }),
    onFailure: ({ field }) => (isWireField(field) ? wireFields[field] : ""),
  })
}

/** Depends only on the charge, so a repeated request gets the same bytes (decision 11). */
export const chargeReplyBody = (charge: IssuedCharge): typeof ChargeReplyBody.Type => ({
  sucesso: true,
  data: {
    retTexto: results.issued,
    retUrl: charge.brCode,
    transacaoId: charge.transactionId,
    expira: new Date(charge.payableUntil).toISOString(),
  },
})

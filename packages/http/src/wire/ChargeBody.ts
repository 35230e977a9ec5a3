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
import type { ChargeBody, ChargeReplyBody } from "../schemas/ChargeBody.ts"
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

type Body = typeof ChargeBody.Type
type Refinement = (value: unknown) => boolean

const hasText: Refinement = (value) => typeof value === "string"

/** The type of each field, in the order of refusal; `schemas` has the same types. */
const fieldTypes: Readonly<Record<keyof Body, Readonly<Record<string, Refinement>>>> = {
  formaPagamento: {
    tpTransacao: (value) => value === 11,
    idFaturaPag: hasText,
    modPagamento: (value) => value === 18,
    valorPagamento: Number.isFinite,
    dataVencimento: (value) => value === undefined || hasText(value),
  },
  cliente: { xNome: hasText, documento: hasText },
}

/** The first field of another type; `""` means the whole body. */
const findRefusedField = (body: unknown): WireField | undefined => {
  if (!Predicate.isObject(body)) return ""
  for (const [name, types] of Object.entries(fieldTypes)) {
    const value = body[name]
    if (name === "cliente" && value === undefined) continue
    if (!Predicate.isObject(value)) return name as keyof Body
    const refused = Object.keys(types).find((inner) => types[inner]?.(value[inner]) === false)
    if (refused !== undefined) return `${name}.${refused}` as WireField
  }
  return undefined
}

/** The failure is the first field whose rule the value breaks. */
export const decodeChargeBody = (value: unknown): Result.Result<ChargeRequest, WireField> => {
  const refused = findRefusedField(value)
  if (refused !== undefined) return Result.fail(refused)
  const { formaPagamento, cliente } = value as Body
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

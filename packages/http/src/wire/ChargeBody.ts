import {
  centsFromReais,
  type ChargeRequest,
  type ChargeRequestField,
  type IssuedCharge,
  parseChargeRequest,
} from "@pixcharge/core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { fieldRules, results, type WireField } from "./messages.ts"

/** Body of `POST /api/pix` (docs/interface.md, Fields of the request). Unknown keys are ignored (decision 5). */
export const ChargeBody = Schema.Struct({
  formaPagamento: Schema.Struct({
    tpTransacao: Schema.Literal(11),
    idFaturaPag: Schema.String,
    modPagamento: Schema.Literal(18),
    valorPagamento: Schema.Finite,
    dataVencimento: Schema.optionalKey(Schema.String),
  }),
  cliente: Schema.optionalKey(Schema.Struct({ xNome: Schema.String, documento: Schema.String })),
})

/** Body of its 200 (docs/interface.md, The answer). */
export const ChargeReplyBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: Schema.String,
    retUrl: Schema.String,
    transacaoId: Schema.String,
    expira: Schema.String,
  }),
})

const decode = Schema.decodeUnknownResult(ChargeBody)

const wireFields: Record<ChargeRequestField, WireField> = {
  id: "formaPagamento.idFaturaPag",
  amount: "formaPagamento.valorPagamento",
  dueDate: "formaPagamento.dataVencimento",
  "payer.name": "cliente.xNome",
  "payer.taxId": "cliente.documento",
}

/** The path of the first field that the schema refused. */
const firstPath = (issue: SchemaIssue.Issue): ReadonlyArray<PropertyKey> => {
  switch (issue._tag) {
    case "Pointer":
      return [...issue.path, ...firstPath(issue.issue)]
    case "Composite":
      return firstPath(issue.issues[0])
    default:
      return []
  }
}

const refusedField = (issue: SchemaIssue.Issue): WireField => {
  const path = firstPath(issue).join(".")
  return path in fieldRules ? (path as WireField) : ""
}

/** A charge request from a JSON value, or the first field whose rule it breaks. */
export const decodeChargeBody = (value: unknown): Result.Result<ChargeRequest, WireField> => {
  const body = decode(value)
  if (Result.isFailure(body)) return Result.fail(refusedField(body.failure.issue))
  const { formaPagamento, cliente } = body.success
  const amount = centsFromReais(formaPagamento.valorPagamento)
  const request = parseChargeRequest({
    id: formaPagamento.idFaturaPag,
    // No number of cents breaks the amount's rule, in its turn.
    amountCents: Result.getOrElse(amount, () => Number.NaN),
    dueDate: formaPagamento.dataVencimento,
    payer: cliente && { name: cliente.xNome, taxId: cliente.documento },
  })
  return Result.mapError(request, ({ field }) => wireFields[field])
}

/** The answer to an issued charge: a function of the charge alone, so that a repeat gets the same bytes (decision 11). */
export const chargeReplyBody = (charge: IssuedCharge): typeof ChargeReplyBody.Type => ({
  sucesso: true,
  data: {
    retTexto: results.issued,
    retUrl: charge.brCode,
    transacaoId: charge.transactionId,
    expira: new Date(charge.payableUntil).toISOString(),
  },
})

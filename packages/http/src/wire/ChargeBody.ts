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
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { fieldRules, results, type WireField } from "./messages.ts"

/** Body of `POST /api/pix` (docs/interface.md, Fields of the request). Unknown keys are ignored (decision 5). */
export const ChargeBody = Schema.Struct({
  formaPagamento: Schema.Struct({
    tpTransacao: Schema.Literal(11).annotate({ description: "Tipo da transação; 11 é PIX." }),
    idFaturaPag: Schema.String.annotate({
      description: "Identificador da cobrança, escolhido por quem chama: um UUID novo para cada cobrança da empresa.",
      format: "uuid",
    }),
    modPagamento: Schema.Literal(18).annotate({ description: "Modalidade do pagamento; 18 é PIX." }),
    valorPagamento: Schema.Finite.annotate({
      description: "Valor em reais, com no máximo duas casas decimais.",
      minimum: 0.01,
      maximum: 9_999_999_999.99,
    }),
    dataVencimento: Schema.optionalKey(
      Schema.String.annotate({
        description:
          "Vencimento no calendário de Brasília, AAAA-MM-DD ou AAAA-MM-DDTHH:mm:ss, sem fuso horário; a hora é ignorada. Sem este campo, a cobrança é imediata.",
        pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$",
      }),
    ),
  }).annotate({ identifier: "FormaPagamento", description: "O que se cobra." }),
  cliente: Schema.optionalKey(
    Schema.Struct({
      xNome: Schema.String.annotate({
        description: "Nome completo, sem caracteres de controle.",
        minLength: 1,
        maxLength: 200,
      }),
      documento: Schema.String.annotate({
        description: "CPF ou CNPJ, com ou sem pontuação; o CNPJ pode ter letras.",
      }),
    }).annotate({
      identifier: "Cliente",
      description: "O pagador. Sem este campo, vale o pagador genérico da empresa.",
    }),
  ),
}).annotate({ identifier: "PedidoDeCobranca", description: "Pedido de uma cobrança, imediata ou com vencimento." })

/** Body of the 200 that answers `POST /api/pix` (docs/interface.md, The answer). */
export const ChargeReplyBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: Schema.String.annotate({ description: "Uma frase para pessoas." }),
    retUrl: Schema.String.annotate({ description: "PIX copia e cola: o BR Code a mostrar como QR Code." }),
    transacaoId: Schema.String.annotate({
      description: "Identificador da transação, gerado pelo serviço.",
      format: "uuid",
    }),
    expira: Schema.String.annotate({
      description: "Até quando o pagamento é garantido, em UTC.",
      format: "date-time",
    }),
  }).annotate({ identifier: "DadosDaCobranca" }),
}).annotate({ identifier: "CobrancaEmitida", description: "A cobrança emitida." })

const decode = Schema.decodeUnknownResult(ChargeBody)

const wireFields: Readonly<Record<ContractField, WireField>> = {
  id: "formaPagamento.idFaturaPag",
  amount: "formaPagamento.valorPagamento",
  dueDate: "formaPagamento.dataVencimento",
  "payer.name": "cliente.xNome",
  "payer.taxId": "cliente.documento",
}

/** The contract has no fields that only a host can set (decision 48). */
const isWireField = (field: ChargeRequestField): field is ContractField => field in wireFields

const findFirstPath = (issue: SchemaIssue.Issue): ReadonlyArray<PropertyKey> => {
  switch (issue._tag) {
    case "Pointer":
      return [...issue.path, ...findFirstPath(issue.issue)]
    case "Composite":
      return findFirstPath(issue.issues[0])
    default:
      return []
  }
}

/** The field that the schema refused; `""` means the whole body. */
const findRefusedField = (issue: SchemaIssue.Issue): WireField => {
  const path = findFirstPath(issue).join(".")
  return path in fieldRules ? (path as WireField) : ""
}

/** The failure is the first field whose rule the value breaks. */
export const decodeChargeBody = (value: unknown): Result.Result<ChargeRequest, WireField> => {
  const body = decode(value)
  if (Result.isFailure(body)) return Result.fail(findRefusedField(body.failure.issue))
  const { formaPagamento, cliente } = body.success
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

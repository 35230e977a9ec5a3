import type { RouteName } from "../wire/routes.ts"
import type { ChargeBody, ChargeReplyBody } from "../wire/schemas/ChargeBody.ts"
import type { CredentialsBody, TokenBody } from "../wire/schemas/TokenBody.ts"
import {
  chargeFailures,
  dueDateOutOfRange,
  exchangeFailures,
  type Failure,
  invalidField,
  notEligible,
  operationFailures,
  results,
} from "../wire/messages.ts"
import type { RefundBody, SimulationBody, StatusBody } from "../wire/schemas/StatusBody.ts"

/** Examples of the OpenAPI document. The server's clock shows 20 November 2026, 11:00 in Brasília. */

export const exampleIds = {
  segredoBase64: "MTIzNDU2NzgwMDAxOTV8Y2hhdmUtZGEtbG9qYQ==",
  idFaturaPag: "93768cbb-479d-4da3-8899-231fd09dc551",
} as const

const transactionId = "6d1f3c9a-52f7-4b0e-8f5e-0b7a5c1d9e01"
const now = "2026-11-20T14:00:00.000Z"

const credentials: typeof CredentialsBody.Type = { cnpj: "12345678000195", chave: "chave-da-loja" }

const immediate: typeof ChargeBody.Type = {
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag: exampleIds.idFaturaPag,
    modPagamento: 18,
    valorPagamento: 19.9,
  },
}

const withDueDate: typeof ChargeBody.Type = {
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag: "5f0c6a0e-0a1b-4f7c-9d55-6f4a3c1b2d10",
    modPagamento: 18,
    valorPagamento: 150,
    dataVencimento: "2026-12-25",
  },
  cliente: { xNome: "Maria da Silva", documento: "123.456.789-09" },
}

export const requestExamples: Partial<Readonly<Record<RouteName, Readonly<Record<string, object>>>>> = {
  tokenByPost: { credenciais: credentials },
  issue: { imediata: immediate, comVencimento: withDueDate },
}

const token: typeof TokenBody.Type = {
  sucesso: true,
  data: "eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIxMjM0NTY3ODAwMDE5NSJ9.assinatura",
}

const issued: typeof ChargeReplyBody.Type = {
  sucesso: true,
  data: {
    retTexto: results.issued,
    retUrl:
      "00020101021226740014br.gov.bcb.pix2552pix.sandbox.invalid/cb03c6e7976782feb45391fe246dc49c5204000053039865802BR5910Minha Loja6006Recife62070503***630424F1",
    transacaoId: transactionId,
    expira: "2026-11-20T14:10:00.000Z",
  },
}

const issuedWithDueDate: typeof ChargeReplyBody.Type = {
  sucesso: true,
  data: {
    retTexto: results.issued,
    retUrl:
      "00020101021226790014br.gov.bcb.pix2557pix.sandbox.invalid/cobv/252e9981aa3065eddb8c5fbdd093a2ee5204000053039865802BR5910Minha Loja6006Recife62070503***630424F7",
    transacaoId: "a2b94e17-3c5d-4e86-9a0f-7e6d5c4b3a02",
    expira: "2027-01-03T02:59:59.999Z",
  },
}

const receipt = (copy: string): string =>
  [
    "COMPROVANTE DE PAGAMENTO PIX",
    copy,
    "Minha Loja",
    "CNPJ **.345.678/****-**",
    "DATA 20/11/2026 HORA 11:00:00",
    "VALOR R$ 19,90",
    "PIX E999****5QVV",
    "TRANSACAO 6d1f****9e01",
  ].join("\n")

const paid: typeof StatusBody.Type = {
  sucesso: true,
  data: {
    retTexto: results.paid,
    response: {
      id: transactionId,
      referencia: exampleIds.idFaturaPag,
      tpComando: 1,
      dRetorno: now,
      msgOperador: results.approved,
      viaCliente: receipt("VIA DO CLIENTE"),
      viaEstabelecimento: receipt("VIA DO ESTABELECIMENTO"),
      tpConfirmacao: 1,
      numCartao: "",
      vLanc: 19.9,
      dTransacao: now,
      arqRetorno: "",
      dInsert: "2026-11-20T11:00:00.000",
      dUpdate: "2026-11-20T11:00:00.000",
    },
  },
}

const simulated: typeof SimulationBody.Type = { sucesso: true, data: { retTexto: results.simulated } }

const refund = (retTexto: string): typeof RefundBody.Type => ({
  sucesso: true,
  data: {
    retTexto,
    transacaoId: transactionId,
    referencia: exampleIds.idFaturaPag,
    vLanc: 19.9,
    dRetorno: now,
  },
})

export const successExamples: Readonly<Record<RouteName, Readonly<Record<number, Readonly<Record<string, object>>>>>> =
  {
    token: { 200: { token } },
    tokenByPost: { 200: { token } },
    issue: { 200: { imediata: issued, comVencimento: issuedWithDueDate } },
    status: { 200: { paga: paid } },
    simulate: { 200: { simulado: simulated } },
    refund: { 200: { estornado: refund(results.refunded) }, 202: { emAndamento: refund(results.refunding) } },
  }

const everywhere = [exchangeFailures.methodNotAllowed, exchangeFailures.internal, operationFailures.StoreUnavailable]
const tokenFailures = [...everywhere, exchangeFailures.badCredentials, exchangeFailures.tooManyFailures]
const bodyFailures = [exchangeFailures.invalidJson, exchangeFailures.tooLarge, exchangeFailures.unsupportedMediaType]
const withToken = [...everywhere, exchangeFailures.unauthenticated]
const onCharge = [...withToken, exchangeFailures.invalidId, chargeFailures.notFound]

/** One example for a code that has several texts. */
export const failureExamples: Readonly<Record<RouteName, ReadonlyArray<Failure>>> = {
  token: tokenFailures,
  tokenByPost: [...tokenFailures, ...bodyFailures],
  issue: [
    ...withToken,
    ...bodyFailures,
    invalidField("formaPagamento.valorPagamento"),
    dueDateOutOfRange("2026-11-20", "2031-11-20"),
    notEligible(["companyWallet"]),
    operationFailures.InvalidFees,
    operationFailures.CompanyNotFound,
    operationFailures.ChargeConflict,
    operationFailures.ChargeExpired,
    operationFailures.ChargeCancelled,
    operationFailures.ChargeRefunding,
    operationFailures.ChargeRefunded,
    operationFailures.ProcessorRejected,
    operationFailures.ProcessorUnavailable,
  ],
  status: [
    ...onCharge,
    chargeFailures.pending,
    chargeFailures.expired,
    chargeFailures.refunding,
    chargeFailures.refunded,
    chargeFailures.cancelled,
  ],
  simulate: [
    ...onCharge,
    exchangeFailures.notFound,
    operationFailures.ChargeExpired,
    operationFailures.ChargeCancelled,
    operationFailures.ChargeRefunding,
    operationFailures.ChargeRefunded,
    operationFailures.SimulationDeclined,
    operationFailures.ProcessorUnavailable,
  ],
  refund: [
    ...onCharge,
    operationFailures.ChargeNotPaid,
    operationFailures.ChargeCancelled,
    operationFailures.ChargePartlyReturned,
    operationFailures.RefundWindowClosed,
    operationFailures.RefundRejected,
  ],
}

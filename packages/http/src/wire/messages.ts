import type { RefundRejected } from "@pixcharge/core"
import type { IssueError, MoveError, SimulationError } from "@pixcharge/core/internal"
import type { TooManyFailures, Unauthenticated } from "../tokens/Tokens.ts"

/** Every text that a caller reads, except receipts, and the codes of failures (decision 16). */

/** A failure on the wire; `code` is the `Pix-Erro` header. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly text: string
}

const failure = (status: number, code: string, text: string): Failure => ({ status, code, text })

/** The failure's text for each field of a charge request. */
export const fieldRules = {
  "": "O corpo deve ser um objeto JSON com formaPagamento.",
  formaPagamento: "formaPagamento é obrigatório e deve ser um objeto.",
  "formaPagamento.tpTransacao": "formaPagamento.tpTransacao é obrigatório e deve ser o número 11.",
  "formaPagamento.idFaturaPag": "formaPagamento.idFaturaPag é obrigatório e deve ser um UUID.",
  "formaPagamento.modPagamento": "formaPagamento.modPagamento é obrigatório e deve ser o número 18.",
  "formaPagamento.valorPagamento":
    "formaPagamento.valorPagamento é obrigatório e deve ser um número de 0.01 a 9999999999.99, com no máximo duas casas decimais.",
  "formaPagamento.dataVencimento":
    "formaPagamento.dataVencimento deve ser uma data existente, no formato AAAA-MM-DD ou AAAA-MM-DDTHH:mm:ss, sem fuso horário.",
  cliente: "cliente deve ser um objeto com xNome e documento.",
  "cliente.xNome": "cliente.xNome é obrigatório e deve ter de 1 a 200 caracteres, sem caracteres de controle.",
  "cliente.documento": "cliente.documento é obrigatório e deve ser um CPF ou CNPJ válido.",
} as const

export type WireField = keyof typeof fieldRules

export const invalidField = (field: WireField): Failure => failure(400, "dados-invalidos", fieldRules[field])

/** Failures that don't depend on a charge. */
export const exchangeFailures = {
  invalidJson: failure(400, "json-invalido", "O corpo da requisição não é um JSON válido em UTF-8."),
  invalidId: failure(400, "id-invalido", "idFaturaPag deve ser um UUID."),
  unauthenticated: failure(401, "token-invalido", "Token ausente, inválido ou expirado."),
  badCredentials: failure(401, "credenciais-invalidas", "Credenciais inválidas."),
  notFound: failure(404, "rota-inexistente", "Rota inexistente."),
  methodNotAllowed: failure(405, "metodo-nao-permitido", "Método não permitido nesta rota."),
  tooLarge: failure(413, "corpo-grande-demais", "O corpo da requisição passa de 16 KiB ou vem em pedaços demais."),
  unsupportedMediaType: failure(
    415,
    "tipo-de-conteudo-invalido",
    "O corpo deve ser enviado sem compressão e com Content-Type: application/json.",
  ),
  tooManyFailures: failure(
    429,
    "limite-excedido",
    "Muitas tentativas com credenciais inválidas. Aguarde antes de tentar novamente.",
  ),
  internal: failure(500, "erro-interno", "Erro interno."),
} as const

export const chargeFailures = {
  notFound: failure(404, "cobranca-nao-encontrada", "Cobrança não encontrada."),
  pending: failure(410, "cobranca-pendente", "Pagamento pendente."),
  expired: failure(410, "cobranca-expirada", "Cobrança expirada sem pagamento."),
  refunding: failure(409, "estorno-em-andamento", "Estorno em andamento."),
  refunded: failure(409, "cobranca-estornada", "Cobrança estornada."),
  cancelled: failure(409, "cobranca-cancelada", "Cobrança cancelada."),
} as const

const missingPrerequisite = {
  resellerWallet: "a revenda não tem a carteira PIX ativa",
  companyWallet: "a empresa não tem a carteira PIX ativa",
  ownBankDomicile: "a empresa não tem domicílio bancário próprio",
  association: "a empresa não está associada à revenda",
} as const

const brazilianDate = (date: string): string => date.split("-").toReversed().join("/")

const serviceUnavailable = failure(
  503,
  "servico-indisponivel",
  "Serviço indisponível no momento. Repita a mesma requisição.",
)

/** The failure for each error, by the error's tag. */
export const operationFailures = {
  ChargeNotFound: chargeFailures.notFound,
  ChargeConflict: failure(
    409,
    "cobranca-divergente",
    "Já existe uma cobrança com este idFaturaPag e outros dados (valor, vencimento ou cliente).",
  ),
  ChargeExpired: failure(409, "cobranca-expirada", "A cobrança com este idFaturaPag expirou sem pagamento."),
  ChargeCancelled: failure(409, "cobranca-cancelada", "A cobrança com este idFaturaPag foi cancelada."),
  ChargeRefunding: failure(409, "estorno-em-andamento", "A cobrança com este idFaturaPag está sendo estornada."),
  ChargeRefunded: failure(409, "cobranca-estornada", "A cobrança com este idFaturaPag foi estornada."),
  ChargeNotPaid: failure(409, "cobranca-nao-paga", "A cobrança não foi paga; não há o que estornar."),
  ChargePartlyReturned: failure(
    409,
    "cobranca-devolvida-em-parte",
    "Parte do valor já foi devolvida por outro meio; o estorno total não é mais possível.",
  ),
  RefundWindowClosed: failure(
    409,
    "prazo-de-estorno-encerrado",
    "O prazo de 90 dias após o pagamento para o estorno terminou.",
  ),
  RefundRejected: failure(
    409,
    "estorno-nao-realizado",
    "O estorno não foi realizado pelo processador de pagamentos; a cobrança continua paga.",
  ),
  SimulationDeclined: failure(422, "simulacao-recusada", "O processador de pagamentos recusou a simulação."),
  InvalidFees: failure(
    400,
    "valor-menor-que-reducoes",
    "formaPagamento.valorPagamento não supera o abatimento e o desconto do cadastro da empresa.",
  ),
  CompanyNotFound: failure(403, "empresa-nao-cadastrada", "A empresa não está cadastrada."),
  ProcessorRejected: failure(502, "processador-recusou", "O processador de pagamentos recusou a operação."),
  ProcessorUnavailable: failure(
    503,
    "processador-indisponivel",
    "O processador de pagamentos não respondeu. Repita a mesma requisição.",
  ),
  StoreUnavailable: serviceUnavailable,
  DirectoryUnavailable: serviceUnavailable,
  TooManyFailures: exchangeFailures.tooManyFailures,
  // No route names a payment, so these errors would be faults of pixcharge.
  ChargeAlreadyPaid: exchangeFailures.internal,
  PaymentUnmatched: exchangeFailures.internal,
  PaymentOfAnotherCharge: exchangeFailures.internal,
  PaymentOfAnotherCompany: exchangeFailures.internal,
} as const

/** Names each prerequisite that the company lacks (decision 27). */
export const notEligible = (missing: ReadonlyArray<keyof typeof missingPrerequisite>): Failure =>
  failure(
    403,
    "empresa-nao-habilitada",
    `Não é possível emitir cobranças: ${missing.map((name) => missingPrerequisite[name]).join("; ")}.`,
  )

/** The failure for a due date outside the permitted days (decision 9). */
export const dueDateOutOfRange = (earliest: string, latest: string): Failure =>
  failure(
    400,
    "vencimento-fora-do-prazo",
    `formaPagamento.dataVencimento deve estar entre ${brazilianDate(earliest)} e ${brazilianDate(latest)}.`,
  )

export const results = {
  issued: "Cobrança PIX gerada com sucesso.",
  paid: "Pagamento confirmado.",
  approved: "Pagamento aprovado.",
  simulated: "Pagamento simulado com sucesso.",
  refunded: "Estorno realizado com sucesso.",
  refunding: "Estorno solicitado; em andamento.",
} as const

export type OperationError = OperationFailure | Unauthenticated

type OperationFailure = IssueError | MoveError | SimulationError | RefundRejected | TooManyFailures

export const toFailure = (error: OperationFailure): Failure => {
  if (error._tag === "IssuerNotEligible") return notEligible(error.missing)
  if (error._tag === "DueDateOutOfRange") return dueDateOutOfRange(error.earliest, error.latest)
  // Not a 503, because a caller would repeat a request with an unstorable value forever.
  if (error._tag === "StoreUnavailable" && error.isRefused) return exchangeFailures.internal
  return operationFailures[error._tag]
}

/** Whole seconds before the caller should repeat; undefined if waiting doesn't help. */
export const findRetryAfterSeconds = (error: OperationError): number | undefined => {
  switch (error._tag) {
    case "ProcessorUnavailable":
      return Math.max(1, Math.ceil((error.retryAfterMs ?? 5_000) / 1_000))
    case "TooManyFailures":
      return Math.max(1, Math.ceil(error.retryAfterMs / 1_000))
    case "StoreUnavailable":
      return error.isRefused ? undefined : 1
    case "DirectoryUnavailable":
      return 1
    default:
      return undefined
  }
}

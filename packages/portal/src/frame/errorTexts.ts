import { isOfOurs } from "@pixcharge/core/internal"
import type { PixError } from "@pixcharge/embed"

/** An error's page for operators. */
export interface ErrorText {
  readonly status: number
  readonly title: string
  readonly text: string
  /** The text for requests that only read, if `text` speaks of an order. */
  readonly readingText?: string
  /** Whether the same call may succeed later. Such a failure isn't kept. */
  readonly isTransient?: true
}

const retryLater = { status: 503, title: "Indisponível no momento", isTransient: true } as const
const refused = { status: 409, title: "Não foi possível concluir" } as const

const lostRecurrence = {
  status: 404,
  title: "Recorrência não encontrada",
  text: "Esta empresa não tem uma recorrência com este ID.",
} as const

/** The errors that an operator can meet, by their tags. Any other error is a defect, and its page says nothing of it. */
const texts: { readonly [Tag in PixError["_tag"]]?: ErrorText } = {
  ChargeNotFound: {
    status: 404,
    title: "Cobrança não encontrada",
    text: "Esta empresa não tem uma cobrança com este ID.",
  },
  InvalidChargeId: {
    status: 404,
    title: "Cobrança não encontrada",
    text: "O ID de uma cobrança é um UUID, como 7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c.",
  },
  RecurrenceNotFound: lostRecurrence,
  InvalidRecurrenceId: lostRecurrence,
  RecurrenceNotApproved: { ...refused, text: "A recorrência não está autorizada ou já foi encerrada." },
  PayerHasRecurrence: {
    ...refused,
    text: "O pagador tem uma recorrência que não foi encerrada. Encerre-a antes de apagar os dados.",
  },
  CycleNotOpen: { ...refused, text: "Este ciclo já foi cobrado ou cancelado, ou não existe." },
  CancelTooLate: {
    ...refused,
    text: "O débito é amanhã ou hoje: o cancelamento é possível até as 22h da véspera. Aguarde o resultado e, se for pago, devolva.",
  },
  RetryNotPossible: { ...refused, text: "O banco não aceita mais uma tentativa desta cobrança." },
  ExceptionNotFound: {
    status: 404,
    title: "Pagamento não encontrado",
    text: "Esta empresa não tem um pagamento sem cobrança com este ID da transação.",
  },
  EndpointNotFound: {
    status: 404,
    title: "Webhook não encontrado",
    text: "Esta empresa não tem um webhook com este nome.",
  },
  CompanyNotFound: {
    status: 404,
    title: "Empresa não cadastrada",
    text: "Esta empresa não está cadastrada no sistema. Avise quem administra o sistema.",
  },
  IssuerNotEligible: {
    ...refused,
    text: "O cadastro desta empresa está incompleto: ela ainda não pode emitir cobranças. Avise quem administra o sistema.",
  },
  InvalidFees: {
    ...refused,
    text: "A multa, os juros ou os descontos da empresa não são compatíveis com este valor. Nada foi emitido.",
  },
  ChargeConflict: {
    ...refused,
    text: "Este formulário já emitiu outra cobrança. Nada mais foi emitido: abra a lista e confira.",
  },
  ChargeNotPaid: { ...refused, text: "A cobrança não foi paga: não há o que devolver." },
  ChargeCancelled: { ...refused, text: "A cobrança foi cancelada." },
  ChargeAlreadyPaid: {
    ...refused,
    text: "A cobrança já foi paga, por isso não pode ser cancelada. Devolva o pagamento.",
  },
  ChargeRefunding: { ...refused, text: "Já há uma devolução deste pagamento em andamento. Aguarde a conclusão." },
  ChargeRefunded: { ...refused, text: "O pagamento já foi devolvido integralmente." },
  ChargeExpired: { ...refused, text: "A cobrança expirou." },
  ChargePartlyReturned: {
    ...refused,
    text: "Uma parte já foi devolvida ou está em devolução. Devolva o restante informando o valor.",
  },
  PartialRefundConflict: { ...refused, text: "Esta devolução já foi solicitada com outro valor." },
  PartialRefundUnderWay: {
    ...refused,
    text: "Outra devolução parcial deste pagamento ainda está em andamento. Aguarde a conclusão.",
  },
  RefundExceedsRest: { ...refused, text: "O valor é maior que o disponível para devolução." },
  RefundWindowClosed: {
    ...refused,
    text: "O prazo do Banco Central para devolver, de 90 dias após o pagamento, terminou.",
  },
  RefundRejected: {
    ...refused,
    title: "O banco recusou a devolução",
    text: "O valor não foi devolvido. O motivo do banco está no histórico da cobrança.",
  },
  ExceptionRefundRejected: {
    ...refused,
    title: "O banco recusou a devolução",
    text: "O valor não foi devolvido, e o pagamento continua em aberto. O motivo do banco está na página do pagamento.",
  },
  ExceptionClosed: { ...refused, text: "Este pagamento já foi tratado ou está em devolução." },
  ProcessorRejected: { ...refused, title: "O banco recusou a operação", text: "Nada foi alterado." },
  NothingSelected: { ...refused, status: 422, text: "Nenhum evento foi selecionado." },
  PeriodTooLarge: {
    status: 422,
    title: "Período longo demais",
    text: "Há registros demais neste período. Escolha um período menor.",
  },
  InvalidFilter: {
    status: 422,
    title: "Filtro inválido",
    text: "O filtro tem um valor inválido ou esta página da lista não existe mais. Abra a lista de novo.",
  },
  InvalidTaxId: { status: 422, title: "Documento inválido", text: "CPF ou CNPJ inválido: confira os dígitos." },
  InvalidPartialRefund: { status: 422, title: "Valor inválido", text: "Informe um valor a partir de R$ 0,01." },
  ProcessorUnavailable: {
    ...retryLater,
    text: "O banco não respondeu. A operação pode ter sido feita: confira a situação antes de repeti-la.",
    readingText: "O banco não respondeu. Aguarde alguns segundos e abra a página de novo.",
  },
  StoreUnavailable: {
    ...retryLater,
    text: "O banco de dados não respondeu. Aguarde alguns segundos e tente de novo: nada é feito em dobro.",
  },
  TooManyReports: {
    ...retryLater,
    title: "Muitas consultas ao mesmo tempo",
    text: "Há muitas listas e relatórios desta empresa sendo consultados ao mesmo tempo. Aguarde alguns segundos e tente de novo.",
  },
  DirectoryUnavailable: {
    ...retryLater,
    text: "O cadastro não respondeu. Aguarde alguns segundos e tente de novo: nada é feito em dobro.",
  },
  BootFailure: { ...retryLater, text: "O serviço está iniciando. Aguarde alguns segundos e tente de novo." },
  PixDisposed: { ...retryLater, text: "O serviço está sendo encerrado. Aguarde alguns segundos e tente de novo." },
}

const byTag = new Map(Object.entries(texts))

/** An error's page for operators, in Portuguese; undefined for unexpected errors, as what the store can't keep is. */
export const errorText = (error: unknown): ErrorText | undefined =>
  isOfOurs(error) && !("isRefused" in error) ? byTag.get(error._tag) : undefined

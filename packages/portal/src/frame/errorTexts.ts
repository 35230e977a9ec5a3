import { isOfOurs } from "@pixcharge/core/internal"
import type { PixError } from "@pixcharge/embed"

export interface Problem {
  readonly status: number
  readonly title: string
  readonly text: string
}

export const problems = {
  refused: {
    status: 403,
    title: "Acesso negado",
    text: "Você não tem acesso a este portal. Peça o acesso a quem administra o sistema.",
  },
  signedOut: {
    status: 403,
    title: "Sua sessão expirou",
    text: "Nada foi feito. Entre de novo e repita a operação.",
  },
  noRight: {
    status: 403,
    title: "Sem permissão",
    text: "Seu usuário não tem permissão para isso. Nada foi feito.",
  },
  notFound: {
    status: 404,
    title: "Página não encontrada",
    text: "Confira o endereço. A página pode não existir, ou você pode não ter acesso a ela.",
  },
  foreignForm: {
    status: 403,
    title: "Formulário recusado",
    text: "O formulário não veio desta página, ou a página ficou aberta por tempo demais. Nada foi feito: volte, recarregue a página e tente de novo.",
  },
  usedForm: {
    status: 409,
    title: "Formulário já enviado",
    text: "Este formulário já foi enviado com outros dados. Nada mais foi feito: volte, recarregue a página e confira a situação.",
  },
  tooManyPages: {
    status: 429,
    title: "Páginas demais abertas",
    text: "Há páginas demais abertas ao mesmo tempo. Esta é atualizada a cada 10 segundos. Feche as que você não está usando.",
  },
} as const satisfies Readonly<Record<string, Problem>>

export const failureProblems: Readonly<Record<400 | 405 | 413 | 415 | 500, Problem>> = {
  400: { status: 400, title: "Requisição inválida", text: "Os dados recebidos não são de um formulário desta página." },
  405: { status: 405, title: "Requisição inválida", text: "Este endereço não recebe formulários. Nada foi feito." },
  413: {
    status: 413,
    title: "Texto longo demais",
    text: "O formulário é longo demais. Encurte o texto e tente de novo.",
  },
  415: { status: 415, title: "Requisição inválida", text: "Os dados recebidos não são de um formulário desta página." },
  500: {
    status: 500,
    title: "Algo deu errado",
    text: "Não foi possível abrir esta página. Tente de novo em instantes. Se o problema continuar, avise quem administra o sistema.",
  },
}

export interface ErrorText {
  readonly status: number
  readonly title: string
  readonly text: string
  /** The text for requests that only read, if `text` mentions an operation. */
  readonly readingText?: string
  /** Whether the same call can succeed later. The failure then isn't kept as the form's outcome. */
  readonly isTransient?: true
}

const retryLater = { status: 503, title: "Indisponível no momento", isTransient: true } as const
const refused = { status: 409, title: "Não foi possível concluir" } as const

const lostRecurrence = {
  status: 404,
  title: "Recorrência não encontrada",
  text: "Esta empresa não tem uma recorrência com este ID.",
} as const

/** Errors that operators can meet. Any other error is a defect, and its page shows no details. */
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
    text: "A cobrança já foi paga, por isso não pode ser cancelada nem alterada. Se for o caso, devolva o pagamento.",
  },
  ChargeRefunding: { ...refused, text: "Já há uma devolução deste pagamento em andamento. Aguarde a conclusão." },
  ChargeRefunded: { ...refused, text: "O pagamento já foi devolvido integralmente." },
  ChargeExpired: { ...refused, text: "A cobrança expirou." },
  ChargeNotChangeable: { ...refused, text: "Esta cobrança não pode ser alterada. Cancele-a e emita outra." },
  ChangeConflict: {
    ...refused,
    text: "Este formulário já pediu outra alteração. Nenhuma outra alteração foi feita. Confira na página da cobrança.",
  },
  ChangeUnderWay: {
    ...refused,
    text: "Outra alteração desta cobrança ainda está em andamento. Aguarde a conclusão.",
  },
  ChangeRejected: {
    ...refused,
    title: "O banco recusou a alteração",
    text: "A cobrança continua como estava. O motivo do banco está no histórico da cobrança.",
  },
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
  InvalidChargeChange: {
    status: 422,
    title: "Alteração inválida",
    text: "O novo prazo da cobrança já passou. Escolha um prazo maior.",
  },
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

/** Undefined for a defect, including a value that the store can't keep. */
export const errorText = (error: unknown): ErrorText | undefined =>
  isOfOurs(error) && !("isRefused" in error) ? byTag.get(error._tag) : undefined

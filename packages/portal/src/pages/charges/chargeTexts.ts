import type { ChargeStatus } from "@pixcharge/embed"
import type { Tone } from "../../parts/badge.ts"

/** The status of a charge, in a word. */
export const statusTexts: Readonly<Record<ChargeStatus, { readonly text: string; readonly tone?: Tone }>> = {
  pending: { text: "Aguardando pagamento", tone: "info" },
  paid: { text: "Paga", tone: "good" },
  expired: { text: "Expirada" },
  refunding: { text: "Em devolução", tone: "warn" },
  refunded: { text: "Devolvida", tone: "warn" },
  cancelled: { text: "Cancelada" },
  failed: { text: "Não debitada", tone: "bad" },
}

/** The list of charges. */
export const listTexts = {
  title: "Cobranças",
  filter: "Filtro da lista",
  status: "Situação",
  anyStatus: "Todas",
  noStatus: "Escolha uma das situações da lista.",
  textHint:
    "ID da cobrança ou da transação, ou o início deles; nome ou sobrenome do pagador, ou o início deles; CPF ou CNPJ completo; ou o valor da cobrança ou do pagamento, como 12,50.",
  anyTime: "Em qualquer data",
  chargesFile: "Baixar cobranças (CSV)",
  paymentsFile: "Baixar pagamentos do período (CSV)",
  noCursor: "Esta página da lista não existe mais. Envie o filtro de novo.",
  submit: "Mostrar",
  created: "Criada em",
  amount: "Valor",
  payer: "Pagador",
  charge: "Cobrança",
  empty: "Nenhuma cobrança neste período com este filtro.",
  emptyHint: "Amplie o período, escolha outra situação ou limpe a busca.",
  shown: "cobranças criadas no período, das mais recentes às mais antigas",
}

/** The fields by which the list of charges is narrowed, by their names. */
export const rangeTexts = {
  labels: {
    "vencimento-de": "Vencimento, de",
    "vencimento-ate": "Vencimento, até",
    "pago-de": "Pagamento, de",
    "pago-ate": "Pagamento, até",
    "valor-de": "Valor, de (R$)",
    "valor-ate": "Valor, até (R$)",
  },
  noAmount: "Digite um valor em reais, com vírgula para os centavos, como 1.234,56.",
  backwards: "O valor final é menor que o inicial.",
} as const

/** A charge and its money. */
export const chargeTexts = {
  title: (amount: string) => `Cobrança de ${amount}`,
  status: "Situação",
  amount: "Valor",
  abatement: "Abatimento",
  discount: "Desconto",
  fine: "Multa",
  interest: "Juros",
  dueToday: "A pagar hoje",
  paid: "Valor pago",
  paidAt: "Pago em",
  late: "depois do prazo",
  otherAmount: "valor diferente do devido no dia",
  returned: "Devolvido",
  returning: "Em devolução",
  rest: "Disponível para devolução",
  createdAt: "Criada em",
  dueDate: "Vencimento",
  payableUntil: "Pode ser paga até",
  cancelledAt: "Cancelada em",
  refundedAt: "Devolvida em",
  id: "ID da cobrança",
  txid: "txid",
  transactionId: "Nº interno da transação",
  endToEndId: "ID da transação",
  payer: "Pagador",
  noPayer: "Não informado",
  erasedPayer: (at: string) => `Dados apagados em ${at} a pedido do titular`,
  showPayer: "Mostrar pagador",
  showPayerHint: "A consulta fica registrada com seu nome.",
  payerShown: "Consulta registrada na auditoria.",
  message: "Mensagem ao pagador",
  brCode: "Pix Copia e Cola",
  copy: "Copiar código",
  copied: "Código copiado.",
  notCopied: "Não foi possível copiar. O código está selecionado: copie-o pelo teclado ou pelo menu.",
  payerPage: "Abrir a página de pagamento",
  facts: "Dados da cobrança",
  money: "Valores",
  partlyReturned: (amount: string) => `Devolvido: ${amount}`,
  partlyReturning: (amount: string) => `Em devolução: ${amount}`,
  actions: "Ações",
  refund: "Devolver pagamento",
  cancel: "Cancelar cobrança",
  failedRefund: "O banco recusou a última devolução. Confira o saldo da conta e solicite de novo.",
  story: "Histórico",
  deliveries: (count: number) => `Envios de eventos (${count})`,
  qrCode: "QR Code",
  storyCut: "O histórico é longo: só uma parte dele é mostrada.",
}

/** A refund. */
export const refundTexts = {
  title: "Devolver pagamento",
  confirmTitle: "Confirmar devolução",
  all: (amount: string) => `Devolver todo o valor disponível: ${amount}`,
  part: "Devolver uma parte",
  amount: "Valor a devolver",
  amountHint: (rest: string) => `Em reais, com vírgula: 12,50. Disponível: ${rest}.`,
  next: "Continuar",
  noAmount: "Informe um valor em reais, com vírgula para os centavos, como 12,50.",
  tooMuch: (rest: string) => `O valor é maior que o disponível para devolução: ${rest}.`,
  ask: (amount: string) => `Você vai devolver ${amount} ao pagador. A devolução não pode ser desfeita.`,
  submit: (amount: string) => `Devolver ${amount}`,
  restAfter: "Saldo após a devolução",
  window: (until: string) => `O Banco Central permite devolver até 90 dias após o pagamento: até ${until}.`,
  requested: (amount: string) =>
    `Esta devolução, de ${amount}, já foi solicitada. Para devolver mais, comece uma nova devolução.`,
  failedParts: "Devoluções recusadas pelo banco",
  failedPart: (amount: string, at: string) => `${amount}, solicitada em ${at}`,
  again: "Solicitar de novo",
  blocked: {
    notPaid: "Só o pagamento de uma cobrança paga pode ser devolvido.",
    refunding: "A devolução do pagamento inteiro está em andamento. Aguarde a conclusão.",
    part: "Uma devolução parcial está em andamento. Aguarde a conclusão para solicitar outra.",
    refunded: "O pagamento já foi devolvido integralmente.",
    uncertain: "O banco ainda não informou o resultado da última devolução solicitada. Aguarde a resposta.",
    window: (closed: string) =>
      `O prazo do Banco Central para devolver, de 90 dias após o pagamento, terminou em ${closed}.`,
  },
}

/** A cancellation. */
export const cancelTexts = {
  title: "Cancelar cobrança",
  ask: "O código Pix desta cobrança deixará de ser válido. O cancelamento não pode ser desfeito.",
  askDebit:
    "O débito deste ciclo será cancelado no banco do pagador. O cancelamento não pode ser desfeito; os ciclos seguintes continuam.",
  submit: "Cancelar a cobrança",
  blocked: "Só uma cobrança que ainda não foi paga pode ser cancelada.",
  tooLate: "O débito é amanhã ou hoje: o cancelamento era possível até as 22h da véspera. Aguarde o resultado.",
}

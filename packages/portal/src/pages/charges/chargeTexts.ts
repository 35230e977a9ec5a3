import type { ChargeStatus } from "@pixcharge/embed"
import type { Crumb } from "../../frame/View.ts"
import type { Tone } from "../../parts/elements.ts"

export const statusTexts: Readonly<Record<ChargeStatus, { readonly text: string; readonly tone?: Tone }>> = {
  pending: { text: "Aguardando pagamento", tone: "info" },
  paid: { text: "Paga", tone: "good" },
  expired: { text: "Expirada" },
  refunding: { text: "Em devolução", tone: "warn" },
  refunded: { text: "Devolvida", tone: "warn" },
  cancelled: { text: "Cancelada" },
  failed: { text: "Não debitada", tone: "bad" },
}

export const listTexts = {
  title: "Cobranças",
  filter: "Filtro da lista",
  status: "Situação",
  anyStatus: "Todas",
  noStatus: "Escolha uma das situações da lista.",
  textHint:
    "Referência inteira; ID da cobrança ou da transação, ou o início deles; nome ou sobrenome do pagador, ou o início deles; CPF ou CNPJ completo; ou o valor da cobrança ou do pagamento, como 12,50.",
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
  reference: "Referência",
  metadata: "Metadados",
  txid: "txid",
  transactionId: "Nº interno da transação",
  endToEndId: "ID da transação",
  payer: "Pagador",
  email: "E-mail",
  address: "Endereço",
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
  change: "Alterar cobrança",
  failedRefund: "O banco recusou a última devolução. Confira o saldo da conta e solicite de novo.",
  story: "Histórico",
  deliveries: (count: number) => `Envios de eventos (${count})`,
  qrCode: "QR Code",
  storyCut: "O histórico é longo: só uma parte dele é mostrada.",
}

/** A path relative to the company's path. */
export const chargesPath = "/cobrancas"

export const chargesFilePath = "/cobrancas.csv"

export const paymentsFilePath = "/pagamentos.csv"

export const newChargePath = "/cobrancas/nova"

export const sendPath = (id: string): string => `${chargePath(id)}/enviar`

export const chargePath = (id: string): string => `${chargesPath}/${id}`

export const chargesCrumb: Crumb = { title: listTexts.title, path: chargesPath }

export const refundPath = (id: string): string => `${chargePath(id)}/devolver`

export const cancelPath = (id: string): string => `${chargePath(id)}/cancelar`

export const changePath = (id: string): string => `${chargePath(id)}/alterar`

export const payerPath = (id: string): string => `${chargePath(id)}/pagador`

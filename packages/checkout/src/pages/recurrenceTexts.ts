import type { RecurrencePeriod, RecurrenceEnd } from "@pixcharge/core/recurrence"

const perPeriod: Readonly<Record<RecurrencePeriod, string>> = {
  weekly: "por semana",
  monthly: "por mês",
  quarterly: "por trimestre",
  halfYearly: "por semestre",
  yearly: "por ano",
}

const ends: Readonly<Record<RecurrenceEnd["reason"], { readonly title: string; readonly text: string }>> = {
  declined: {
    title: "Autorização recusada",
    text: "A recorrência não foi autorizada no app do banco. Nada mais será cobrado por ela.",
  },
  expired: {
    title: "Autorização expirada",
    text: "O prazo desta recorrência terminou. Nada mais será cobrado por ela.",
  },
  refused: {
    title: "Autorização indisponível",
    text: "O banco não aceitou esta recorrência. Nada será cobrado por ela.",
  },
  ended: { title: "Recorrência encerrada", text: "Esta recorrência foi encerrada. Nenhum novo ciclo será cobrado." },
}

/** The pt-BR texts of a recurrence's page, in the words that banks use. */
export const recurrenceTexts = {
  perPeriod,
  ends,
  preparing: "Preparando a autorização",
  offered: "Autorize o Pix Automático",
  payFirst: "Pagar e autorizar",
  inApp: "Autorize no app do seu banco",
  approved: "Pix Automático autorizado",
  waiting: "Aguardando sua autorização",
  waitingPayment: "Aguardando o pagamento, que também autoriza as próximas cobranças",
  waitingBank: "O banco ainda prepara a autorização. Esta página é atualizada automaticamente.",
  paidNotApproved: "Pagamento recebido. O banco ainda não confirmou a autorização das próximas cobranças.",
  closed: "O prazo para pagar e autorizar terminou. Não use mais o código: peça um novo link a quem o enviou.",
  authorized: "As próximas cobranças serão debitadas da sua conta, sem que você precise fazer nada.",
  paid: "O pagamento foi recebido.",
  toPayStill: "A autorização foi confirmada, e falta o pagamento: use o código abaixo.",
  each: "Valor",
  now: "Agora",
  after: (each: string) => `Depois, ${each}`,
  variable: "valor informado a cada cobrança",
  firstDay: "Primeira cobrança a partir de",
  lastDay: "Nenhum ciclo começa depois de",
  floor: "Se você definir um valor máximo, ele precisa ser de pelo menos",
  retries: "Se o débito falhar",
  retriesText: "até 3 novas tentativas em 7 dias",
  requestUntil: "O pedido vale até",
  howTitle: "Como autorizar",
  steps: [
    "Abra o app do seu banco.",
    "Escolha Pix e depois Pix Copia e Cola ou Ler QR Code.",
    "Confira quem cobra, o valor e a frequência, e autorize.",
  ],
  stepsInApp: [
    "Abra o app do seu banco e procure os pedidos de Pix Automático.",
    "Confira quem cobra, o valor e a frequência, e autorize.",
  ],
  cancel: "Cancelamento",
  cancelText: "quando quiser, no app do seu banco",
  reload: "Já autorizei: atualizar a página",
} as const

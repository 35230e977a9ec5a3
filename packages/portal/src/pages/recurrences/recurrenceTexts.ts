import type { CycleRange, EndedBy, RecurrenceEnd, RecurrencePeriod } from "@pixcharge/core/recurrence"
import type { RecurrenceStatus } from "@pixcharge/embed"
import type { Crumb } from "../../frame/View.ts"
import type { Tone } from "../../parts/elements.ts"

export const statusTexts: Readonly<Record<RecurrenceStatus, { readonly text: string; readonly tone?: Tone }>> = {
  requested: { text: "Em registro no banco", tone: "info" },
  offered: { text: "Aguardando autorização", tone: "info" },
  approved: { text: "Autorizada", tone: "good" },
  ending: { text: "Em encerramento", tone: "warn" },
  ended: { text: "Encerrada" },
}

export const perPeriod: Readonly<Record<RecurrencePeriod, string>> = {
  weekly: "por semana",
  monthly: "por mês",
  quarterly: "por trimestre",
  halfYearly: "por semestre",
  yearly: "por ano",
}

export const endTexts: Readonly<Record<RecurrenceEnd["reason"], string>> = {
  declined: "Recusada pelo pagador",
  expired: "Prazo encerrado",
  refused: "Recusada pelo banco",
  ended: "Encerrada",
}

export const endedByTexts: Readonly<Record<EndedBy, string>> = {
  payer: "pelo pagador",
  payerBank: "pelo banco do pagador",
  company: "pela empresa",
  companyBank: "pelo banco da empresa",
}

export const recurrenceTexts = {
  title: "Recorrências",
  status: "Situação",
  anyStatus: "Todas",
  textHint:
    "Nome ou sobrenome do pagador, ou o início deles; CPF ou CNPJ completo; o início do ID da recorrência; ou o contrato completo.",
  name: "Recorrência",
  payer: "Pagador",
  amount: "Valor",
  nextDue: "Próximo vencimento",
  empty: "Nenhuma recorrência com este filtro.",
  shown: (status: string) => `Recorrências: ${status.toLowerCase()}, das mais recentes às mais antigas`,
  variable: "valor informado a cada ciclo",
  terms: "Autorização",
  firstDay: "Primeiro ciclo em",
  lastDay: "Nenhum ciclo começa depois de",
  floor: "Menor valor máximo que o pagador pode definir",
  retries: "Novas tentativas",
  retriesText: { none: "não permitidas", threeInSeven: "até três, nos sete dias após o vencimento" },
  automatic: "Tentativas automáticas",
  automaticText: (days: ReadonlyArray<number>) =>
    `${days.join(", ")} ${days.at(-1) === 1 ? "dia" : "dias"} após o vencimento`,
  skipped: "Ciclos pulados",
  skippedText: (ranges: ReadonlyArray<CycleRange>) =>
    ranges.map(([from, to]) => (from === to ? String(from) : `${from} a ${to}`)).join(", "),
  journey: "Forma de autorizar",
  journeys: {
    bank: (until: string) => `solicitação no app do banco do pagador, até ${until}`,
    code: "código que autoriza",
    payment: "código que paga e autoriza",
  },
  payment: "Cobrança que autoriza",
  contract: "Contrato",
  bankId: "ID no banco",
  id: "ID da recorrência",
  createdAt: "Oferecida em",
  approvedAt: "Autorizada em",
  endRequestedAt: "Encerramento solicitado em",
  endedAt: "Encerrada em",
  end: "Motivo",
  cycles: "Ciclos cobrados, do mais recente ao mais antigo",
  noCycles: "Nenhum ciclo foi cobrado ainda.",
  cycle: "Ciclo",
  dueDate: "Vencimento",
  attempts: "Tentativas",
  charge: "Cobrança",
  openCharge: (cycle: number) => `Ver a cobrança do ciclo ${cycle}`,
  payerPage: "Abrir a página de autorização",
  endIt: "Encerrar recorrência",
  skip: "Pular ciclos",
  retry: "Solicitar nova tentativa",
  endAsk:
    "Nenhum novo ciclo será cobrado, e o banco cancela os débitos agendados. Um débito de hoje ainda pode ser feito. O encerramento não pode ser desfeito: para cobrar de novo, o pagador precisa de outra autorização.",
  endSubmit: "Encerrar a recorrência",
  endBlocked: "Esta recorrência já foi encerrada ou está em encerramento.",
  skipAsk:
    "Os ciclos pulados nunca são cobrados. Se um deles já tem uma cobrança no banco, ela é cancelada. Esta ação não pode ser desfeita.",
  firstSkipped: "Pular do",
  lastSkipped: "até o",
  cycleText: (cycle: number, day: string) => `ciclo ${cycle}, com vencimento em ${day}`,
  skipBlocked: "Não há ciclo que possa ser pulado.",
  retryAsk: "O banco do pagador tenta o débito de novo neste dia, pelo mesmo valor.",
  retryOn: "Dia da nova tentativa",
  retrySubmit: (day: string) => `Solicitar nova tentativa em ${day}`,
  retryBlocked: "Uma nova tentativa desta cobrança não é possível agora.",
}

export const recurrencesPath = "/recorrencias"

/** The path of a recurrence's page, relative to the company's path. `step` is the path of a confirmation. */
export const recurrencePath = (id: string, step: "" | "/encerrar" | "/pular" = ""): string =>
  `${recurrencesPath}/${id}${step}`

export const recurrencesCrumb: Crumb = { title: recurrenceTexts.title, path: recurrencesPath }

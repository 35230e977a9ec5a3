import type { PartialRefundStatus, ReturnKind } from "@pixcharge/embed"

/** The entries of a charge's time line. */
export const storyTexts = {
  issued: (amount: string) => `Cobrança de ${amount} criada`,
  dueOn: (day: string) => `vence em ${day}`,
  expired: "Prazo de pagamento encerrado",
  cancelled: "Cobrança cancelada",
  payerErased: "Dados do pagador apagados",
  paid: (amount: string) => `Pagamento de ${amount}`,
  refunded: "Pagamento devolvido integralmente",
  exception: (amount: string) => `Outro pagamento: ${amount}`,
  exceptionResolved: "Outro pagamento mantido",
  exceptionRefund: "Devolução do outro pagamento",
  refund: (amount: string) => `Devolução total solicitada: ${amount}`,
  partialRefund: (amount: string) => `Devolução parcial solicitada: ${amount}`,
  returned: (amount: string) => `Devolução de ${amount} à conta de origem`,
  event: (what: string, endpoint: string) => `Evento “${what}” para ${endpoint}`,
  attempt: (endpoint: string) => `Tentativa de entrega a ${endpoint}`,
  took: (ms: number) => `${ms} ms`,
  reason: "motivo",
  rejection: "motivo do banco",
  note: "nota",
  by: (who: string) => `por ${who}`,
}

/** The status of a refund. */
export const refundStatusTexts: Readonly<Record<PartialRefundStatus, string>> = {
  refunding: "em andamento",
  returned: "concluída",
  failed: "recusada pelo banco",
}

/** What brought money back. */
export const returnKindTexts: Readonly<Record<ReturnKind, string>> = {
  refund: "devolução solicitada aqui",
  outside: "devolução feita fora daqui, como no portal do banco",
  dispute: "contestação do pagador (MED)",
}

import type {
  AuditRecord,
  DeliveryRecord,
  EventKind,
  ExceptionReason,
  PartialRefundStatus,
  ReturnKind,
} from "@pixcharge/embed"

/** What happened to a charge, as its time line says it. */
export const storyTexts = {
  issued: (amount: string) => `Cobrança criada, de ${amount}`,
  dueOn: (day: string) => `vence em ${day}`,
  expired: "Prazo de pagamento terminado",
  cancelled: "Cobrança cancelada",
  payerErased: "Dados do pagador apagados",
  paid: (amount: string) => `Pagamento de ${amount}`,
  refunded: "Devolvida por inteiro",
  exception: (amount: string) => `Outro pagamento, de ${amount}`,
  exceptionResolved: "Exceção encerrada: o dinheiro ficou",
  exceptionRefund: "Devolução do outro pagamento",
  refund: (amount: string) => `Devolução de tudo pedida: ${amount}`,
  partialRefund: (amount: string) => `Devolução parcial pedida: ${amount}`,
  returned: (amount: string) => `${amount} voltaram ao pagador`,
  event: (what: string, endpoint: string) => `Evento “${what}” para ${endpoint}`,
  attempt: (endpoint: string) => `Tentativa de entrega a ${endpoint}`,
  answered: (status: number) => `resposta ${status}`,
  took: (ms: number) => `${ms} ms`,
  taken: "aceita",
  noAnswer: "sem resposta",
  reason: "Motivo do banco",
  note: "Anotação",
  by: (who: string) => `por ${who}`,
}

/** Where a refund stands. */
export const refundStatusTexts: Readonly<Record<PartialRefundStatus, string>> = {
  refunding: "em andamento",
  returned: "concluída",
  failed: "recusada pelo banco",
}

/** What brought money back. */
export const returnKindTexts: Readonly<Record<ReturnKind, string>> = {
  refund: "devolução pedida aqui",
  outside: "devolução feita fora daqui, como no portal do banco",
  dispute: "contestação do pagador (MED)",
}

/** Why a payment settled no charge. */
export const exceptionReasonTexts: Readonly<Record<ExceptionReason, string>> = {
  furtherPayment: "a cobrança já estava paga",
  cancelledCharge: "a cobrança estava cancelada",
  unmatched: "nenhuma cobrança foi encontrada",
}

/** What an event says. */
export const eventTexts: Readonly<Record<EventKind, string>> = {
  paid: "paga",
  refunded: "devolvida",
  test: "teste",
}

/** Where a delivery stands. */
export const deliveryStatusTexts: Readonly<Record<DeliveryRecord["status"], string>> = {
  waiting: "aguarda entrega",
  delivered: "entregue",
  dead: "desistiu-se da entrega",
  superseded: "não vale mais",
}

type Audited = AuditRecord["change"]["kind"]

/** What somebody did, as far as it concerns a single charge; the audit log has the rest. */
export const auditTexts: { readonly [Kind in Audited]?: string } = {
  refundRequested: "Pedido de devolução total",
  partialRefundRequested: "Pedido de devolução parcial",
  chargeCancelled: "Pedido de cancelamento",
  payerShown: "Dados do pagador consultados",
  exceptionRefundRequested: "Pedido de devolução do outro pagamento",
  exceptionResolved: "Exceção encerrada",
}

/** Any other entry of the audit log. */
export const otherAuditText = "Registro de auditoria"

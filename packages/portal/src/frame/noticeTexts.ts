/** The notices after actions, by their ids. */
export const noticeTexts = {
  refundRequested: "Devolução solicitada ao banco. Esta página avisa quando ela for concluída.",
  refundDone: "Devolução concluída: o valor voltou à conta de origem.",
  chargeIssued: "Cobrança emitida. Envie ao pagador o link ou o código.",
  chargeCancelled: "Cobrança cancelada. O código Pix não é mais válido.",
  recurrenceEnding:
    "Encerramento solicitado. Nenhum novo ciclo será cobrado; esta página avisa quando o banco confirmar.",
  cycleSkipped: "Cobrança do ciclo cancelada. As dos ciclos seguintes continuam.",
  retryRequested: "Nova tentativa solicitada ao banco. Esta página avisa quando ela for agendada.",
  exceptionKept: "Pagamento mantido e encerrado.",
  eventResent: "Evento na fila de envio. Esta página avisa quando ele for entregue.",
  eventNotResent: "Nada foi reenviado: o evento já aguarda envio, ou o pagamento dele foi devolvido.",
  endpointPaused: "Webhook pausado. Os eventos dele ficam em espera até a reativação.",
  endpointResumed: "Webhook reativado. Os eventos em espera estão sendo enviados.",
  testEventSent: "Evento de teste na fila de envio. Ele aparece em Eventos, com cada tentativa.",
} as const satisfies Readonly<Record<string, string>>

export type NoticeId = keyof typeof noticeTexts

/** The notices after actions, by their ids. */
export const noticeTexts = {
  refundRequested: "Devolução pedida ao banco. A situação desta página mostra quando o dinheiro voltar.",
  refundDone: "Devolução concluída: o dinheiro voltou ao pagador.",
  chargeCancelled: "Cobrança cancelada. O código Pix dela não pode mais ser pago.",
  exceptionKept: "Pagamento mantido. A exceção está encerrada.",
  eventResent: "Evento na fila de envio. A situação desta página mostra quando ele chegar.",
  eventNotResent: "Nada foi reenviado: o evento já aguarda envio, ou o pagamento dele foi devolvido.",
  endpointPaused: "Ponto de entrega pausado. Os eventos dele esperam até ser retomado.",
  endpointResumed: "Ponto de entrega retomado. O que esperava é enviado agora.",
  testEventSent: "Evento de teste na fila de envio. Ele aparece em Eventos, com cada tentativa.",
} as const satisfies Readonly<Record<string, string>>

export type NoticeId = keyof typeof noticeTexts

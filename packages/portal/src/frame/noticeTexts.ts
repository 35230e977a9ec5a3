/** What a page says after an action, by its id. */
export const noticeTexts = {
  refundRequested: "Devolução pedida ao banco. A situação desta página mostra quando o dinheiro voltar.",
  refundDone: "Devolução concluída: o dinheiro voltou ao pagador.",
  chargeCancelled: "Cobrança cancelada. O código Pix dela não pode mais ser pago.",
} as const satisfies Readonly<Record<string, string>>

export type NoticeId = keyof typeof noticeTexts

/** Whether a page is up to date. */
export const liveTexts = {
  open: "Esta página se atualiza sozinha.",
  lost: "Sem conexão com o servidor: esta página pode estar desatualizada.",
  ended: "Esta página parou de se atualizar. Recarregue-a para ver a situação de agora.",
}

/** What a button says while its form is on its way. */
export const busyText = "Enviando…"

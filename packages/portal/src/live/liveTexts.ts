/** Whether a page is up to date. */
export const liveTexts = {
  open: "Esta página é atualizada automaticamente.",
  polled: "Esta página é atualizada a cada 10 segundos.",
  lost: "Sem conexão com o servidor: esta página pode estar desatualizada.",
  ended: "Esta página não está mais sendo atualizada. Recarregue-a para ver a situação atual.",
}

/** What a button says while its form is on its way. */
export const busyText = "Enviando…"

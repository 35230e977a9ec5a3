/** The texts of a period's fields, and of the links beside them. */
export const periodTexts = {
  from: "De",
  until: "Até",
  noDay: "Informe uma data válida, como 22/11/2026.",
  backwards: "A data final não pode ser anterior à inicial.",
  tooLong: (days: number) => `O período pode ter no máximo ${days} dias.`,
  oneDay: (day: string) => `Dia ${day}, no horário de Brasília`,
  links: "Períodos",
  today: "Hoje",
  lastDays: (days: number) => `Últimos ${days} dias`,
  days: (from: string, until: string) => `De ${from} a ${until}, no horário de Brasília`,
}

/** The texts of the links between pages of a list. */
export const pagerTexts = {
  label: "Páginas da lista",
  first: "Voltar ao início",
  previous: "Página anterior",
  next: "Próxima página",
}

/** The texts of a confirmation. */
export const confirmationTexts = {
  back: "Voltar sem alterar",
}

/** The reason of a refund. */
export const reasonTexts = {
  label: "Motivo (opcional, o pagador pode vê-lo)",
  hint: "Até 140 caracteres. Não escreva nomes nem documentos: o motivo fica guardado com a devolução.",
  problem:
    "O motivo pode ter até 140 caracteres, sem emojis, símbolos especiais nem quebras de linha. Corrija-o ou deixe-o em branco.",
}

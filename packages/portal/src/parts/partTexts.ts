/** The texts of a period's fields, and of the links beside them. */
export const periodTexts = {
  from: "De",
  until: "Até",
  noDay: "Informe um dia que exista, como 22/11/2026.",
  backwards: "O fim não pode vir antes do início.",
  tooLong: (days: number) => `O período pode ter no máximo ${days} dias.`,
  oneDay: (day: string) => `Dia ${day}, no horário de Brasília`,
  links: "Períodos comuns",
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

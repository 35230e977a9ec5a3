import type { PlainComparison } from "@pixcharge/embed"

export type ComparedPayment = PlainComparison["rows"][number]
export type Difference = ComparedPayment["differences"][number]

/** The differences between books and bank. */
export const differenceTexts: Readonly<Record<Difference, string>> = {
  missingInBooks: "Não consta nos registros",
  missingAtBank: "Não consta no banco",
  otherAmount: "Valor diferente",
  otherCharge: "Outra cobrança",
  returnMissingInBooks: "Devolução não consta nos registros",
  returnMissingAtBank: "Devolução não consta no banco",
  returnOtherAmount: "Devolução de outro valor",
}

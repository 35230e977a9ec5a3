import type { PlainComparison } from "@pixcharge/embed"

export type ComparedPayment = PlainComparison["rows"][number]
export type Difference = ComparedPayment["differences"][number]

/** The differences between books and bank. */
export const differenceTexts: Readonly<Record<Difference, string>> = {
  missingInBooks: "Falta nos livros",
  missingAtBank: "Falta no banco",
  otherAmount: "Valor diferente",
  otherCharge: "Outra cobrança",
  returnMissingInBooks: "Devolução falta nos livros",
  returnMissingAtBank: "Devolução falta no banco",
  returnOtherAmount: "Devolução de outro valor",
}

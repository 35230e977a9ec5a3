import type { PlainComparison } from "@pixcharge/embed"

export type ComparedPayment = PlainComparison["rows"][number]
export type Difference = ComparedPayment["differences"][number]

/** How books and bank differ about a payment. */
export const differenceTexts: Readonly<Record<Difference, string>> = {
  missingInBooks: "Falta nos livros",
  missingAtBank: "Falta no banco",
  otherAmount: "Valor diferente",
  otherCharge: "Outra cobrança",
  returnMissingInBooks: "Devolução falta nos livros",
  returnMissingAtBank: "Devolução falta no banco",
  returnOtherAmount: "Devolução de outro valor",
}

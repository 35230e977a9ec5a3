/** The form that issues a charge. */
export const issueTexts = {
  title: "Emitir cobrança",
  amount: "Valor",
  amountHint: "Em reais, com vírgula: 12,50.",
  dueDate: "Vencimento",
  dueDateHint:
    "Sem vencimento, a cobrança vale pelo prazo escolhido abaixo. Com vencimento, valem a multa e os juros da empresa.",
  validity: "Prazo para pagar (sem vencimento)",
  payerName: "Nome do pagador",
  payerTaxId: "CPF ou CNPJ do pagador",
  payer: "Pagador (opcional)",
  description: "Descrição",
  descriptionHint: "O que está sendo cobrado. O pagador vê este texto no app do banco e na página de pagamento.",
  reference: "Referência",
  referenceHint: "O número do pedido ou do contrato. O pagador também vê.",
  submit: "Emitir cobrança",
  charge: "Cobrança",
  noAmount: "Informe um valor em reais, com vírgula para os centavos, como 12,50.",
  noDay: "Informe uma data válida, como 22/11/2026.",
  dueDateRange: (from: string, until: string) => `Informe uma data de ${from} a ${until}.`,
  noName: "Informe o nome, com até 200 caracteres, ou deixe nome e documento em branco.",
  noTaxId: "CPF ou CNPJ inválido: confira os dígitos.",
  noText: "Use no máximo 140 caracteres, sem emojis nem símbolos especiais.",
  noReference: "Use no máximo 200 caracteres, sem emojis nem símbolos especiais.",
}

/** The page of a new charge, from which it is sent to its payer. */
export const sendTexts = {
  title: "Enviar ao pagador",
  link: "Link de pagamento",
  linkHint: "Quem recebe este link vê o valor, a descrição e o código Pix, mas não o nome nem o documento do pagador.",
  copyLink: "Copiar link",
  copiedLink: "Link copiado.",
  notCopiedLink: "Não foi possível copiar. O link está selecionado: copie-o pelo teclado ou pelo menu.",
  over: "Esta cobrança não pode mais ser paga: não há o que enviar.",
  open: "Ver a cobrança",
  another: "Emitir outra cobrança",
}

/** How long a charge without a due date may be paid. */
export const validities: ReadonlyArray<readonly [seconds: string, text: string]> = [
  ["3600", "1 hora"],
  ["86400", "1 dia"],
  ["259200", "3 dias"],
  ["604800", "7 dias"],
  ["2592000", "30 dias"],
]

/** A day: a link is seldom paid at once. */
export const defaultValidity = "86400"

/** The name under which the payer's bank shows the reference. */
export const referenceName = "Referência"

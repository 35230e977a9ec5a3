/** Scripts don't load these. */
export const pageTexts = {
  reload: "Já paguei: atualizar a página",
  print: "Imprimir",
  back: "Voltar à cobrança",
  toShop: "Voltar à loja",
  share: "Compartilhar",
  copyLink: "Copiar link",
  receiptTitle: "Comprovante de pagamento Pix",
  paidAt: "Pago em",
  taxId: "CNPJ",
  description: "Descrição",
  transaction: "ID da transação",
  returned: "Devolvido",
  problems: {
    unknown: [
      "Link não encontrado",
      "Confira o endereço ou peça o link de pagamento de novo a quem enviou a cobrança.",
    ],
    expired: ["Link expirado", "Este link de pagamento não é mais válido. Peça um novo a quem enviou a cobrança."],
    unavailable: [
      "Não foi possível abrir a cobrança",
      "Tente de novo em alguns segundos. Se você já pagou, não pague de novo.",
    ],
    renewalFailed: [
      "Não foi possível gerar um novo código",
      "Tente de novo em alguns segundos ou fale com quem enviou a cobrança.",
    ],
    method: ["Não foi possível abrir a página", "Abra o link de pagamento como você o recebeu."],
  },
  tryAgain: "Tentar de novo",
} as const

/** The words of a receipt, which people read: pt-BR. */
export const receiptTexts = {
  title: "COMPROVANTE DE PAGAMENTO PIX",
  customerCopy: "VIA DO CLIENTE",
  merchantCopy: "VIA DO ESTABELECIMENTO",
  date: "DATA",
  time: "HORA",
  amount: "VALOR",
  payer: "PAGADOR",
  payment: "PIX",
  transaction: "TRANSACAO",
} as const

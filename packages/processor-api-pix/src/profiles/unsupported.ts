/**
 * Banks and institutions of which no public source says enough for a profile, or whose API is another, by their names in small
 * letters and digits: what is missing, as the end of the sentence "there is no profile of the bank that psp names, because
 * ...". Read on 2026-11-22 in their documentation and in https://github.com/bacen/pix-api/issues (76, 551, 560).
 */
export const unsupportedBanks: Readonly<Record<string, string>> = {
  // Nothing public of API Pix, or too little.
  ailos: "Ailos publishes neither due-date charges nor webhooks, and its token request holds a root certificate",
  bancodonordeste: "Banco do Nordeste names the two headers of its key and secret to its clients alone",
  bnb: "Banco do Nordeste names the two headers of its key and secret to its clients alone",
  btg: "BTG Pactual publishes no paths of API Pix, and gives its tokens to a person in a browser",
  caixa: "Caixa publishes neither the addresses of API Pix nor its token endpoint",
  cresol: "Cresol publishes nothing of API Pix",
  nubank: "Nubank publishes no API for receiving charges",
  original: "Banco Original publishes no addresses of API Pix",
  safra: "Safra publishes no addresses of API Pix",
  // An API of their own.
  asaas: "Asaas has an API of its own in place of API Pix",
  bankly: "Bankly has an API of its own in place of API Pix",
  bs2: "BS2 has an API of its own in place of API Pix",
  celcoin: "Celcoin has an API of its own in place of API Pix",
  cora: "Cora has an API of its own in place of API Pix",
  dock: "Dock has an API of its own in place of API Pix",
  iugu: "iugu has an API of its own in place of API Pix",
  mercadopago: "Mercado Pago has an API of its own in place of API Pix",
  openpix: "OpenPix (Woovi) has an API of its own in place of API Pix",
  picpay: "PicPay has an API of its own in place of API Pix",
  stone: "Stone has an API of its own in place of API Pix",
  woovi: "Woovi (OpenPix) has an API of its own in place of API Pix",
}

/** Names that banks had before, or go by elsewhere, and those of their profiles; also in small letters and digits. */
export const renamedBanks = { bb: "bancoDoBrasil", efipay: "efi", gerencianet: "efi", pagseguro: "pagbank" } as const

/** What a receiver answers to the service, by outcome; people read it in the list of attempts. */
export const receiverTexts = {
  handled: "Evento recebido.",
  repeated: "Evento já recebido antes.",
  superseded: "A cobrança já foi estornada: evento não processado.",
  unsigned: "Cabeçalhos da assinatura ausentes.",
  forged: "Assinatura inválida.",
  stale: "Assinatura fora do prazo: confira o relógio do servidor.",
  malformed: "O corpo não é um evento conhecido.",
  tooLarge: "Corpo grande demais.",
  bodyGone: "O corpo original já foi consumido antes de a assinatura ser conferida.",
  contradicted: "A consulta da cobrança não confirma o evento.",
  unconfirmed: "A consulta da cobrança não respondeu; tente de novo.",
} as const

/** What became of a request. */
export type ReceiverText = keyof typeof receiverTexts

/** The JSON of a receiver's answer. */
export const receiverBody = (text: ReceiverText): string => {
  const isSuccess = text === "handled" || text === "repeated" || text === "superseded"
  return JSON.stringify(
    isSuccess
      ? { sucesso: true, data: { retTexto: receiverTexts[text] } }
      : { sucesso: false, errors: receiverTexts[text] },
  )
}

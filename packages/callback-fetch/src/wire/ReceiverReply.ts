/** An answer to the service as plain data. */
export interface ReceiverReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The status and text of each outcome. People read the texts in the list of attempts. */
const answers = {
  handled: [200, "Evento recebido."],
  repeated: [200, "Evento já recebido antes."],
  superseded: [200, "A situação da cobrança mudou depois do evento, que não foi processado."],
  malformed: [400, "O corpo não é um evento conhecido."],
  unsigned: [401, "Cabeçalhos da assinatura ausentes."],
  forged: [401, "Assinatura inválida."],
  stale: [401, "Assinatura fora do prazo: confira o relógio do servidor."],
  contradicted: [409, "A consulta da cobrança não confirma o evento."],
  tooLarge: [413, "Corpo grande demais."],
  bodyGone: [500, "O corpo original já foi consumido antes de a assinatura ser conferida."],
  unconfirmed: [503, "A consulta da cobrança não respondeu; tente de novo."],
} as const

const unread: ReadonlySet<string> = new Set(["unsigned", "stale", "tooLarge"])

export const receiverReply = (outcome: keyof typeof answers): ReceiverReply => {
  const [status, text] = answers[outcome]
  const body = status === 200 ? { sucesso: true, data: { retTexto: text } } : { sucesso: false, errors: text }
  const headers = {
    "content-type": "application/json; charset=utf-8",
    // Otherwise the rest of the body would have to be read before the next request.
    ...(unread.has(outcome) && { connection: "close" }),
  }
  return { status, headers, body: JSON.stringify(body) }
}

import { expect, it } from "vitest"
import { receiverReply } from "../../src/wire/ReceiverReply.ts"

it.each([
  ["handled", 200, "Evento recebido."],
  ["repeated", 200, "Evento já recebido antes."],
  ["superseded", 200, "A situação da cobrança mudou depois do evento, que não foi processado."],
  ["malformed", 400, "O corpo não é um evento conhecido."],
  ["unsigned", 401, "Cabeçalhos da assinatura ausentes."],
  ["forged", 401, "Assinatura inválida."],
  ["stale", 401, "Assinatura fora do prazo: confira o relógio do servidor."],
  ["contradicted", 409, "A consulta da cobrança não confirma o evento."],
  ["tooLarge", 413, "Corpo grande demais."],
  ["bodyGone", 500, "O corpo original já foi consumido antes de a assinatura ser conferida."],
  ["unconfirmed", 503, "A consulta da cobrança não respondeu; tente de novo."],
] as const)("answers the outcome %s with status %i and the text: %s", (outcome, status, text) => {
  const { body, ...reply } = receiverReply(outcome)
  const isUnread = ["unsigned", "stale", "tooLarge"].includes(outcome)
  const headers = { "content-type": "application/json; charset=utf-8", ...(isUnread && { connection: "close" }) }
  expect(reply).toEqual({ status, headers })
  expect(JSON.parse(body)).toEqual(
    status === 200 ? { sucesso: true, data: { retTexto: text } } : { sucesso: false, errors: text },
  )
})

import type { BankRequest } from "../BankRequest.ts"
import type { BankWays, PublishedWays } from "../BankOptions.ts"
import type { BankAnswer } from "../problems.ts"

const refusal = (status: number, name: string, message: string): BankAnswer => ({
  status,
  body: { nome: name, mensagem: message },
})

/** What isn't there is 400 in the bank's own form, but for due-date charges. */
const missing: Readonly<Record<string, string>> = {
  cob: "cobranca_nao_encontrada",
  pix: "pix_nao_encontrado",
  devolucao: "devolucao_nao_encontrada",
  webhook: "webhook_nao_encontrado",
}

const reshape = (answer: BankAnswer, { method, path }: BankRequest): BankAnswer => {
  const [, resource = "", , part] = path.split("/")
  const { status } = answer
  if (method === "PUT" && resource === "webhook" && status === 200) return { ...answer, status: 201 }
  if (status < 400 || status === 401 || resource === "cobv") return answer
  if (status === 404) return refusal(400, missing[part ?? resource] ?? "nao_encontrado", "não encontrado")
  if (method === "PUT" && part === "devolucao") return refusal(409, "devolucao_id_duplicado", "o id já existe")
  if (method === "PUT" && resource === "cob") return refusal(409, "txid_duplicado", "o txid já existe")
  return refusal(status, "valor_invalido", "campo inválido")
}

/** Without the header the host must refuse a caller without certificate, and no host of our tests does; then a test call. */
const probeWebhook: BankWays["probeWebhook"] = async (url, { headers }) => {
  if (headers["x-skip-mtls-checking"] !== "true") return refusal(400, "webhook_invalido", "sem autenticação mútua")
  const status = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ evento: "teste_webhook", data_criacao: new Date().toISOString() }),
  }).then(
    (response) => response.arrayBuffer().then(() => response.status),
    () => 0,
  )
  return status === 200 ? undefined : refusal(400, "webhook_invalido", `respondeu com o código HTTP ${status}`)
}

const both: Partial<BankWays> = {
  apiRoot: "/v2",
  token: { client: "header", content: "json", scope: "refused", query: {} },
  putOnExisting: "refuses",
  probeWebhook,
  reshape,
}

/** Efí, after https://dev.efipay.com.br/docs/api-pix (credenciais, cobrancas-imediatas, gestao-de-pix, webhooks; read 2026-11-22). */
export const efi: PublishedWays = {
  production: { ...both, hosts: { api: "pix.api.efipay.com.br", token: "pix.api.efipay.com.br" } },
  sandbox: { ...both, hosts: { api: "pix-h.api.efipay.com.br", token: "pix-h.api.efipay.com.br" } },
}

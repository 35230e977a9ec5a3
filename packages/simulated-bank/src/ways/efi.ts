import type { BankRequest } from "../BankRequest.ts"
import type { BankWays, PublishedWays } from "../BankOptions.ts"
import { isRefusalOf, type BankAnswer } from "../problems.ts"
import { type Fields, fields } from "./fields.ts"

const refusal = (status: number, name: string, message: string): BankAnswer => ({
  status,
  body: { nome: name, mensagem: message },
})

/** Missing resources are 400 in the bank's own form, except due-date charges. */
const missing: Readonly<Record<string, string>> = {
  cob: "cobranca_nao_encontrada",
  pix: "pix_nao_encontrado",
  devolucao: "devolucao_nao_encontrada",
  webhook: "webhook_nao_encontrado",
}

const reshapeRefusal = (answer: BankAnswer, method: string, part: string): BankAnswer => {
  if (answer.status === 404) return refusal(400, missing[part] ?? "nao_encontrado", "Nenhum registro encontrado")
  if (isRefusalOf(answer, "txid")) return refusal(409, "txid_duplicado", "Campo txid informado já foi utilizado")
  if (isRefusalOf(answer, "devolucao.id"))
    return refusal(409, "devolucao_id_duplicado", "O id informado já foi utilizado")
  return method === "PATCH"
    ? refusal(400, "status_cobranca_invalido", "A cobrança não está mais com o status ATIVA")
    : refusal(answer.status, "valor_invalido", "Campo inválido")
}

/** A look-up has the seconds of a charge's validity as a text. */
const withSecondsAsText = (body: unknown): unknown => {
  const { calendario, ...charge } = body as { readonly calendario: Readonly<Record<string, unknown>> }
  return { ...charge, calendario: { ...calendario, expiracao: String(calendario["expiracao"]) } }
}

const reshape = (answer: BankAnswer, { method, path }: BankRequest): BankAnswer => {
  const [, resource = "", , part = resource] = path.split("/")
  const { status, body } = answer
  if (`${method} ${resource}` === "PUT webhook" && status === 200) return { ...answer, status: 201 }
  if (`${method} ${resource}` === "GET cob" && status === 200) return { ...answer, body: withSecondsAsText(body) }
  const isOwn = status === 401 || resource === "cobv" || "nome" in fields(body)
  return status < 400 || isOwn ? answer : reshapeRefusal(answer, method, part)
}

/**
 * Without the header the host must refuse callers without certificate, which no host in our tests does; then comes a
 * test call.
 */
const probeWebhook: BankWays["probeWebhook"] = async (url, { headers }) => {
  if (headers["x-skip-mtls-checking"] !== "true") {
    return refusal(400, "webhook_invalido", "A autenticação de TLS mútuo não está configurada na URL informada")
  }
  const status = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ evento: "teste_webhook", data_criacao: new Date().toISOString() }),
  }).then(
    (response) => response.arrayBuffer().then(() => response.status),
    () => 0,
  )
  return status === 200
    ? undefined
    : refusal(400, "webhook_invalido", `A URL informada respondeu com o código HTTP ${status}`)
}

/** Fields that its contracts have beyond the standard's, or leave out of it, by call. */
const contracts: Readonly<Record<string, (body: Fields) => boolean>> = {
  "PUT pix": (body) => Object.keys(body).every((name) => name === "valor"),
  "POST rec": ({ valor }) => valor !== undefined,
  "POST solicrec": ({ destinatario }) => fields(destinatario)["agencia"] !== undefined,
  "PUT cobr": ({ recebedor }) => fields(recebedor)["agencia"] !== undefined,
}

const refusesRequest: BankWays["refusesRequest"] = ({ method, path, text }) => {
  const fits = contracts[`${method} ${path.split("/")[1]}`]
  return fits === undefined || fits(fields(JSON.parse(text)))
    ? undefined
    : refusal(400, "json_invalido", "O JSON informado é inválido")
}

const both: Partial<BankWays> = {
  apiRoot: "/v2",
  refusesRequest,
  // No published request has a scope: the application defines it.
  token: { client: "header", content: "json", scope: "refused", query: {} },
  putOnExisting: "refuses",
  probeWebhook,
  reshape,
}

/**
 * Efí, after its documentation as of 2024-07-17 (https://github.com/mpaivaana/error-report, `docs/api-pix`: credenciais,
 * cobrancas-imediatas, gestao-de-pix, webhooks), read 2026-11-22. `webhook_nao_encontrado` is what integrations wait for.
 * Contracts as in its SDK, npm sdk-node-apis-efi 2.0.1, read 2026-11-29.
 */
export const efi: PublishedWays = {
  production: { ...both, hosts: { api: "pix.api.efipay.com.br", token: "pix.api.efipay.com.br" } },
  sandbox: { ...both, hosts: { api: "pix-h.api.efipay.com.br", token: "pix-h.api.efipay.com.br" } },
}

import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import { type BankAnswer, type BankRequest, isRefusalOf, nameCall } from "../wire/BankRequest.ts"
import { type Fields, fields } from "../wire/json.ts"
import { efiContract } from "./efiContract.ts"
import { combine, type Reshape, withCharges } from "./reshaping.ts"

const refusal = (status: number, name: string, message: string, more: object = {}): BankAnswer => ({
  status,
  body: { nome: name, mensagem: message, ...more },
})

/** Refuses a body that breaks the bank's contract. Here a null field has a wrong type. */
const refusesRequest = ({ method, path, text }: BankRequest): BankAnswer | undefined => {
  const breach = efiContract[nameCall(method, path)]?.(JSON.parse(text), ".body")
  if (breach === undefined) return undefined
  const { rule, path: caminho } = breach
  const erros = [{ chave: rule, caminho, mensagem: "não respeita o esquema" }]
  return refusal(400, "json_invalido", "Valores ou tipos de campos inválidos", { erros })
}

/** The names of the bank's 400 for missing resources. Due-date charges and recurrences keep the standard's 404. */
const missing: Readonly<Record<string, string>> = {
  CobNaoEncontrado: "cobranca_nao_encontrada",
  PayloadLocationNaoEncontrado: "location_nao_encontrada",
  PixNaoEncontrado: "pix_nao_encontrado",
  PixDevolucaoNaoEncontrada: "devolucao_nao_encontrada",
  WebhookNaoEncontrado: "webhook_nao_encontrado",
}

const withOwnRefusals: Reshape = (answer, { path }) => {
  const { status, body } = answer
  const { title, nome } = fields(body)
  if (status < 400 || status === 401 || nome !== undefined) return answer
  const name = missing[String(title)]
  if (name !== undefined) return refusal(400, name, "Nenhum registro encontrado")
  if (status === 404 || path.startsWith("/cobv")) return answer
  if (isRefusalOf(answer, "txid")) return refusal(409, "txid_duplicado", "Campo txid informado já foi utilizado")
  if (isRefusalOf(answer, "devolucao.id"))
    return refusal(409, "devolucao_id_duplicado", "O id informado já foi utilizado")
  if (isRefusalOf(answer, "chave"))
    return refusal(400, "chave_invalida", "A chave informada não faz referência à conta autenticada")
  return isRefusalOf(answer, "status")
    ? refusal(400, "status_cobranca_invalido", "A cobrança não está mais com o status ATIVA")
    : refusal(status, "valor_invalido", "Campo inválido")
}

/** A return as payments contain it, without nature and description. */
const ownReturn = ({ id, rtrId, valor, horario, status }: Fields): Fields => ({ id, rtrId, valor, horario, status })

const mapFields = (list: unknown, change: (one: Fields) => Fields): unknown =>
  Array.isArray(list) ? list.map((one) => change(fields(one))) : list

const ownPayment = (payment: Fields): Fields => ({
  ...payment,
  ...("devolucoes" in payment && { devolucoes: mapFields(payment["devolucoes"], ownReturn) }),
})

const withoutKey = ({ chave: _, ...payment }: Fields): Fields => payment

/** A due-date charge has its location only in `loc`. A look-up shortens `loc` and the receiver. */
const ownDueDateCharge = (charge: Fields, isLookup: boolean): Fields => {
  const { recebedor, loc, location: _, ...rest } = charge
  const { criacao: _at, ...shortLoc } = fields(loc)
  const receiver = { ...fields(recebedor), email: "loja@example.com" }
  return {
    ...rest,
    recebedor: isLookup ? receiver : { ...receiver, nomeFantasia: fields(recebedor)["nome"] },
    ...(loc !== undefined && { loc: isLookup ? shortLoc : loc }),
  }
}

const ownCharge = (charge: Fields, { method, path }: BankRequest): Fields => {
  const call = nameCall(method, path)
  const ownBody = path.startsWith("/cobv") ? ownDueDateCharge(charge, call === "GET cobv {id}") : charge
  const { pix, ...rest } = ownBody
  if (pix === undefined) return rest
  const payments = mapFields(pix, ownPayment)
  return { ...rest, pix: call === "GET cob {id}" ? mapFields(payments, withoutKey) : payments }
}

const withOwnPayments: Reshape = (answer, { method, path }) => {
  const { status, body } = answer
  if (status >= 400 || method !== "GET" || !path.startsWith("/pix") || path.includes("/devolucao")) return answer
  const { pix, ...list } = fields(body)
  return { ...answer, body: pix === undefined ? ownPayment(list) : { ...list, pix: mapFields(pix, ownPayment) } }
}

/** The bank's picture of a code shows its text. */
const picture = (code: unknown): string =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text y="1em">${code}</text></svg>`).toString("base64")}`

const withOwnBodies: Reshape = (answer, { method, path, text }) => {
  const { status } = answer
  if (status >= 400) return answer
  const body = fields(answer.body)
  switch (nameCall(method, path)) {
    case "PUT webhook {id}":
      return { status: 201, body: { webhookUrl: fields(JSON.parse(text))["webhookUrl"] } }
    case "GET webhook {id}": {
      const { cnpj: _, ...webhook } = body
      return { status, body: webhook }
    }
    case "GET loc": {
      const { loc: locs, ...list } = body
      return { status, body: { ...list, locs } }
    }
    case "GET loc {id} qrcode": {
      const linkVisualizacao = `https://pix.sejaefi.invalid${path}`
      return { status, body: { ...body, imagemQrcode: picture(body["qrcode"]), linkVisualizacao } }
    }
    default:
      return answer
  }
}

/**
 * Without the header, the bank requires that the host refuses callers without a certificate, which no host in our tests does.
 * With the header, the bank sends a test call.
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

const both: Partial<BankWays> = {
  apiRoot: "/v2",
  refusesRequest,
  // No published request has a scope, because the application defines it.
  token: { client: "header", content: "json", scope: "refused", query: {} },
  lacks: [],
  putOnExisting: "refuses",
  probeWebhook,
  reshape: combine(withOwnRefusals, withCharges(ownCharge), withOwnPayments, withOwnBodies),
}

/**
 * Efí, modelled on its documentation of 2024-07-17 (https://github.com/mpaivaana/error-report, `docs/api-pix`: credenciais,
 * cobrancas-imediatas, gestao-de-pix, payload-locations, webhooks), read 2026-11-22 and 2026-11-29. The schemas of its SDK (npm
 * sdk-node-apis-efi 2.0.1, read 2026-11-29) take precedence. Integrations expect `webhook_nao_encontrado`.
 */
export const efi: PublishedWays = {
  production: { ...both, hosts: { api: "pix.api.efipay.com.br", token: "pix.api.efipay.com.br" } },
  sandbox: { ...both, hosts: { api: "pix-h.api.efipay.com.br", token: "pix-h.api.efipay.com.br" } },
}

import { type BankWays, probedByGet, type PublishedWays } from "../wire/BankOptions.ts"
import type { BankAnswer, BankRequest } from "../wire/BankRequest.ts"
import { type Fields, fields } from "../wire/json.ts"
import { combine, documentsAsNumbers, statusByName } from "./reshaping.ts"

/** The parts of the amount are plain numbers, and the payer's tax id has hidden digits. */
const payment = (body: unknown): Fields => ({
  ...fields(body),
  componentesValor: { original: Number(fields(body)["valor"]) },
  pagador: { nome: "Maria da Prova", cpfCnpj: "***456789**" },
})

const payments = (items: unknown): ReadonlyArray<Fields> => (Array.isArray(items) ? items.map(payment) : [])

const reshapeRecurring = combine(statusByName, documentsAsNumbers)

const reshape = (answer: BankAnswer, call: BankRequest): BankAnswer => {
  const { method, path } = call
  const { status, body } = answer
  if (status >= 400) return answer
  if (/^\/(?:rec|solicrec|cobr)\b/.test(path)) return reshapeRecurring(answer, call)
  if (method === "PUT" && path.startsWith("/webhook/")) return { status: 204 }
  if (method !== "GET" || !path.startsWith("/pix") || path.includes("/devolucao/")) return answer
  return { ...answer, body: path === "/pix" ? { ...fields(body), pix: payments(fields(body)["pix"]) } : payment(body) }
}

const probeWebhook = probedByGet(() => ({
  status: 400,
  body: { title: "webhook", detail: "A URL informada não responde", timestamp: new Date().toISOString() },
}))

const both: Partial<BankWays> = {
  apiRoot: "/pix/v2",
  tokenPath: "/oauth/v2/token",
  token: { client: "body", content: "form", scope: "required", query: {} },
  // An application with several accounts needs this header.
  wants: { headers: { "x-conta-corrente": "accountNumber" }, query: {} },
  webhookKeys: "withoutPlus",
  probeWebhook,
  noticeSuffix: "",
  reshape,
}

/**
 * Inter, modelled on its reference (https://developers.inter.co/references/pix), its SDK (inter-co/pj-sdk-java) and its
 * webhook server (inter-co/pj-webhook-server-java); read 2026-11-22. They show notices in two forms, which have their own tests.
 * This bank sends a third form, which was observed.
 */
export const inter: PublishedWays = {
  production: {
    ...both,
    hosts: { api: "cdpj.partners.bancointer.com.br", token: "cdpj.partners.bancointer.com.br" },
    noticeBody: (body) => [{ pix: payments(fields(body)["pix"]) }],
  },
  sandbox: {
    ...both,
    hosts: { api: "cdpj-sandbox.partners.uatinter.co", token: "cdpj-sandbox.partners.uatinter.co" },
    noticeBody: (body) => payments(fields(body)["pix"]),
  },
}

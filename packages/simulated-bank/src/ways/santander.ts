import { type BankWays, probedByGet, type PublishedWays } from "../wire/BankOptions.ts"
import type { BankAnswer, BankRequest } from "../wire/BankRequest.ts"
import { type Fields, fields } from "../wire/json.ts"
import { withCharges } from "./reshaping.ts"

const now = (): string => new Date().toISOString()

/** A charge without `loc`, with some numbers as strings. */
const charge = (body: Fields): Fields => {
  const { loc: _, calendario, revisao, ...rest } = body
  const { expiracao, ...dates } = fields(calendario)
  return {
    ...rest,
    revisao: String(revisao),
    calendario: { ...dates, ...(expiracao !== undefined && { expiracao: String(expiracao) }) },
    pix: body["pix"] ?? null,
  }
}

const gateway = (status: number, text: string, code: string): BankAnswer => ({
  status,
  body: { fault: { faultstring: text, detail: { errorcode: code } } },
})

/** A refusal, whose format depends on the part of the API. In the standard's format, the status is a string. */
const refusal = ({ status, body }: BankAnswer, { method, path }: BankRequest): BankAnswer => {
  const { detail } = fields(body)
  if (path.includes("/devolucao/")) return { status, body: { timestamp: now(), httpStatusCode: status, detail } }
  if (status === 400 && method === "PUT" && path.startsWith("/cob") && detail === "the txid is taken") {
    const details = "QRCode com este txid já encontra-se cadastrado"
    return { status, body: { timestamp: now(), httpStatus: "BAD_REQUEST", details, errorCode: 400, trackingId: "1" } }
  }
  return { status, contentType: "application/problem+json", body: { ...fields(body), status: String(status) } }
}

const hasFraction = ({ query }: BankRequest): boolean =>
  ["inicio", "fim"].some((name) => query.get(name)?.includes(".") === true)

const reshape = (answer: BankAnswer, request: BankRequest): BankAnswer => {
  const { method, path } = request
  const { status } = answer
  if (status === 401) return answer
  if (status >= 400) return refusal(answer, request)
  if (path === "/pix" && hasFraction(request)) return gateway(500, "Internal error", "steps.javascript.ScriptFailed")
  if (path.startsWith("/cob")) return { ...withCharges(charge)(answer, request), status: 200 }
  return method === "PUT" ? { ...answer, status: 200 } : answer
}

const probeWebhook = probedByGet(() => ({
  status: 400,
  body: { timestamp: now(), httpStatus: "BAD_REQUEST", details: "webhookUrl", errorCode: 400 },
}))

const both: Partial<BankWays> = {
  apiRoot: "/api/v1",
  apiRoots: { "PATCH cob": "/api/v2", "PATCH cobv": "/api/v2" },
  token: { client: "body", content: "form", scope: "refused", query: { grant_type: "client_credentials" } },
  tokenLifetimeSeconds: 300,
  // Always required here, although some programs don't send it.
  wants: { headers: { "x-application-key": "clientId" }, query: {} },
  reshapeToken: ({ status, body }) => ({
    status,
    body: status < 400 ? { refreshUrl: "", ...fields(body), expires_in: String(fields(body)["expires_in"]) } : body,
  }),
  deadToken: gateway(401, "Invalid JWT: expired", "steps.jwt.TokenExpired"),
  putOnExisting: "refuses",
  code: "locationOnly",
  probeWebhook,
  reshape,
}

/**
 * Santander, modelled on programs that call it, because its manual isn't public: ACBr (ACBrPIXPSPSantander.pas and its change
 * log), juspay/hyperswitch (connectors/santander) and descriptions of its portal; read 2026-11-22.
 */
export const santander: PublishedWays = {
  production: { ...both, hosts: { api: "trust-pix.santander.com.br", token: "trust-pix.santander.com.br" } },
  sandbox: { ...both, hosts: { api: "trust-pix-h.santander.com.br", token: "trust-pix-h.santander.com.br" } },
}

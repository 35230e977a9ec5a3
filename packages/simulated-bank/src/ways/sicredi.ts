import { type BankWays, type PublishedWays, recurringRoots } from "../wire/BankOptions.ts"
import { type BankAnswer, type BankRequest, problem } from "../wire/BankRequest.ts"
import { type Fields, fields } from "../wire/json.ts"

const reshapeLookup = (body: unknown): Fields => {
  const { horario, ...rest } = fields(body)
  return { ...rest, horario: { solicitacao: horario, liquidacao: horario } }
}

const reshape = (answer: BankAnswer, { method, path }: BankRequest): BankAnswer => {
  const { status, body } = answer
  if (status === 403 && fields(body)["title"] === "AcessoNegado") {
    return problem(400, "RequisicaoInvalida", "Esta credencial não possui os escopos necessários")
  }
  if (status >= 400) return answer
  if (path.includes("/devolucao/")) return { ...answer, status: 200 }
  return method === "GET" && path.startsWith("/pix/") ? { ...answer, body: reshapeLookup(body) } : answer
}

const both: Partial<BankWays> = {
  apiRoots: { "PUT cob": "/api/v3", "GET cob": "/api/v3", "PATCH cob": "/api/v3", ...recurringRoots("/api/v1") },
  token: { client: "header", content: "form", scope: "optional", query: {} },
  tokenLifetimeSeconds: 300,
  deadToken: problem(403, "Forbidden", "Token expired"),
  reshape,
}

/**
 * Sicredi, modelled on descriptions of its guide and of its Postman collection (laddertech/pypix-api: docs/Sicredi) and on
 * programs that call it (Setup-Automatizado/sicredi-sdk, ACBr: ACBrPIXPSPSicredi.pas and its change log); read 2026-11-22.
 */
export const sicredi: PublishedWays = {
  production: { ...both, hosts: { api: "api-pix.sicredi.com.br", token: "api-pix.sicredi.com.br" } },
  sandbox: { ...both, hosts: { api: "api-pix-h.sicredi.com.br", token: "api-pix-h.sicredi.com.br" } },
}

import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import { combine, type Reshape, withCharges } from "./reshaping.ts"

/** The gateway's refusals have a different format. */
const withGateway: Reshape = (answer, { isElsewhere }) =>
  isElsewhere
    ? { status: answer.status, body: { ocorrencias: [{ codigo: "404", mensagem: "Recurso não encontrado" }] } }
    : answer

/** Reshapes charges so that they have their location only in `loc`. */
const reshape = combine(
  withGateway,
  withCharges(({ location: _, ...rest }) => rest),
)

const both: Partial<BankWays> = {
  apiRoot: "/pix/api-mtls",
  tokenPath: "/auth/oauth/v2/token",
  token: { client: "headerOrBody", content: "form", scope: "optional", query: {} },
  reshape,
}

/**
 * Banrisul. Sources: https://developers.banrisul.com.br/pages/docs/clientes-banrisul/api-pix-v2.9.0.html, and the calls of its
 * clients (github.com/divulgueregional/api-banrisul). Read 2026-11-22.
 */
export const banrisul: PublishedWays = {
  production: { ...both, hosts: { api: "mtls-api.banrisul.com.br", token: "mtls-api.banrisul.com.br" } },
  sandbox: { ...both, hosts: { api: "mtls-api-h.banrisul.com.br", token: "mtls-api-h.banrisul.com.br" } },
}

import * as Predicate from "effect/Predicate"
import type { BankWays, PublishedWays } from "../BankOptions.ts"
import type { BankRequest } from "../BankRequest.ts"
import type { BankAnswer } from "../problems.ts"

/** A charge has its location only in `loc`; the gateway's refusals have their own form. */
const reshape = (answer: BankAnswer, { isElsewhere }: BankRequest): BankAnswer => {
  const { status, body } = answer
  if (isElsewhere) {
    return { status, body: { ocorrencias: [{ codigo: "404", mensagem: "Recurso não encontrado" }] } }
  }
  if (status >= 400 || !Predicate.isObject(body)) return answer
  const { location: _, ...rest } = body
  return { ...answer, body: rest }
}

const both: Partial<BankWays> = {
  apiRoot: "/pix/api-mtls",
  tokenPath: "/auth/oauth/v2/token",
  token: { client: "headerOrBody", content: "form", scope: "optional", query: {} },
  reshape,
}

/**
 * Banrisul, after https://developers.banrisul.com.br/pages/docs/clientes-banrisul/api-pix-v2.9.0.html and what its clients
 * send and read (github.com/divulgueregional/api-banrisul); read 2026-11-22.
 */
export const banrisul: PublishedWays = {
  production: { ...both, hosts: { api: "mtls-api.banrisul.com.br", token: "mtls-api.banrisul.com.br" } },
  sandbox: { ...both, hosts: { api: "mtls-api-h.banrisul.com.br", token: "mtls-api-h.banrisul.com.br" } },
}

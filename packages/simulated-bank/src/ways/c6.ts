import { randomUUID } from "node:crypto"
import type { BankWays, PublishedWays } from "../BankOptions.ts"
import type { BankAnswer } from "../problems.ts"

/** A refusal of the bank's gateway. */
const gatewayRefusal = (status: number, kind: string, title: string): BankAnswer => ({
  status,
  contentType: "application/problem+json",
  body: {
    type: `https://developers.c6bank.com.br/v1/error/${kind}`,
    title,
    status,
    detail: title,
    correlation_id: randomUUID(),
    timestamp: new Date().toISOString(),
  },
})

/** Creations are answered with 200, and a charge has its location only at the top level. */
const reshape = (answer: BankAnswer): BankAnswer => {
  const { status, body } = answer
  if (status >= 400 || typeof body !== "object" || body === null) return answer
  const { loc: _, ...rest } = body as Readonly<Record<string, unknown>>
  return { ...answer, status: status === 201 ? 200 : status, body: rest }
}

const both: Partial<BankWays> = {
  apiRoot: "/v2/pix",
  tokenPath: "/v1/auth",
  token: { client: "headerOrBody", content: "form", scope: "refused", query: {} },
  tokenLifetimeSeconds: 300,
  deadToken: gatewayRefusal(401, "unauthorized", "Unauthorized"),
  reshape,
}

/**
 * C6 Bank, after its collections of calls (github.com/leandronunes07/c6bank-php-sdk, `postman`) and what was seen in its
 * sandbox in 2024 and 2026 (github.com/ia-dev-sindireceita/payment); read 2026-11-22.
 */
export const c6: PublishedWays = {
  production: { ...both, hosts: { api: "baas-api.c6bank.info", token: "baas-api.c6bank.info" } },
  sandbox: { ...both, hosts: { api: "baas-api-sandbox.c6bank.info", token: "baas-api-sandbox.c6bank.info" } },
}

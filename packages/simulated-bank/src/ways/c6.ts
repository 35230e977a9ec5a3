import { randomUUID } from "node:crypto"
import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import type { BankAnswer } from "../wire/BankRequest.ts"
import { combine, inData, type Reshape, signed, withCharges, withStatus } from "./reshaping.ts"

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

const recurring = new Set(["locrec", "rec", "solicrec", "cobr"])

const reshapeOther = combine(
  withCharges(({ loc: _, ...rest }) => rest),
  withStatus(201, 200),
)

/**
 * Creations return 200, and a charge has its location only at the top level. Answers about recurrences are signed on
 * reads, and wrapped in `data` on writes.
 */
const reshape: Reshape = (answer, call) =>
  recurring.has(call.path.split("/")[1] ?? "")
    ? (call.method === "GET" ? signed : inData)(answer, call)
    : reshapeOther(answer, call)

const both: Partial<BankWays> = {
  apiRoot: "/v2/pix",
  tokenPath: "/v1/auth",
  token: { client: "headerOrBody", content: "form", scope: "refused", query: {} },
  tokenLifetimeSeconds: 300,
  deadToken: gatewayRefusal(401, "unauthorized", "Unauthorized"),
  cyclePayer: "required",
  reshape,
}

/**
 * C6 Bank. Sources: its collections of calls (github.com/leandronunes07/c6bank-php-sdk, `postman`), and answers of its sandbox
 * in 2024 and 2026 (github.com/ia-dev-sindireceita/payment; for recurrences internal/adapters/bank/c6/recurrence.go). Read
 * 2026-11-22 and 2026-11-27.
 */
export const c6: PublishedWays = {
  production: { ...both, hosts: { api: "baas-api.c6bank.info", token: "baas-api.c6bank.info" } },
  sandbox: { ...both, hosts: { api: "baas-api-sandbox.c6bank.info", token: "baas-api-sandbox.c6bank.info" } },
}

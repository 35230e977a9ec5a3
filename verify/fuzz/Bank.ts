import type { Fetch } from "@pixcharge/processor-api-pix"
import { payerDocuments } from "./tenants.ts"

export interface Bank {
  readonly fetch: Fetch
  readonly webhookPaths: ReadonlyArray<string>
}

const token = { access_token: "token-of-the-bank", token_type: "Bearer", expires_in: 3_600 }

/** A bank's refusal. Logs must not repeat it. */
const problem = {
  type: "https://pix.bcb.gov.br/api/v2/error/NaoEncontrado",
  title: "Não encontrado",
  status: 404,
  detail: `Nada de ${payerDocuments[0]}.`,
  violacoes: [{ razao: `O pagador ${payerDocuments[1]} não existe.`, propriedade: "devedor" }],
}

export const makeBank = (): Bank => {
  const webhookPaths: Array<string> = []
  return {
    webhookPaths,
    fetch: async (url, { method, body }) => {
      if (url.includes("/oauth/")) return Response.json(token)
      if (method !== "PUT" || !url.includes("/webhook/")) return Response.json(problem, { status: 404 })
      const { webhookUrl } = JSON.parse(String(body)) as { readonly webhookUrl: string }
      webhookPaths.push(new URL(webhookUrl).pathname)
      return Response.json({})
    },
  }
}

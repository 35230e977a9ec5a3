import { instant } from "./Books.ts"
import type { Desk } from "./chargeRoutes.ts"
import { problem, type PspAnswer } from "./problems.ts"
import type { PspAccount } from "./PspOptions.ts"

/** `PUT /webhook/{chave}`: plain HTTP is taken too, for this bank calls hosts in tests. */
export const putWebhook = ({ books, now }: Desk, account: PspAccount, pixKey: string, body: unknown): PspAnswer => {
  const url = typeof body === "object" && body !== null && "webhookUrl" in body ? body.webhookUrl : undefined
  if (!account.pixKeys.includes(pixKey)) {
    return problem(400, "WebhookOperacaoInvalida", "the key is not this receiver's", "chave")
  }
  if (typeof url !== "string" || !URL.canParse(url)) {
    return problem(400, "WebhookOperacaoInvalida", "breaks the schema", "webhook.webhookUrl")
  }
  books.webhooks.set(pixKey, { url, since: now() })
  return { status: 200 }
}

/** `GET /webhook/{chave}`. */
export const getWebhook = ({ books }: Desk, account: PspAccount, pixKey: string): PspAnswer => {
  const known = account.pixKeys.includes(pixKey) ? books.webhooks.get(pixKey) : undefined
  return known === undefined
    ? problem(404, "WebhookNaoEncontrado", "no webhook for this key")
    : { status: 200, body: { webhookUrl: known.url, cnpj: account.cnpj, criacao: instant(known.since) } }
}

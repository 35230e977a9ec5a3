import { instant } from "./Ledger.ts"
import type { Bank } from "./chargeRoutes.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount } from "./BankOptions.ts"

/** `PUT /webhook/{chave}`: plain HTTP is taken too, for this bank calls hosts in tests. */
export const putWebhook = (
  { ledger, ways, now }: Bank,
  account: BankAccount,
  pixKey: string,
  body: unknown,
): BankAnswer => {
  const url = typeof body === "object" && body !== null && "webhookUrl" in body ? body.webhookUrl : undefined
  if (!account.pixKeys.includes(pixKey)) {
    return problem(400, "WebhookOperacaoInvalida", "the key is not this receiver's", "chave")
  }
  if (typeof url !== "string" || !URL.canParse(url)) {
    return problem(400, "WebhookOperacaoInvalida", "breaks the schema", "webhook.webhookUrl")
  }
  if (ways.putOnWebhook === "refuses" && ledger.webhooks.has(pixKey)) {
    return problem(400, "WebhookOperacaoInvalida", "a webhook is registered for this key", "chave")
  }
  ledger.webhooks.set(pixKey, { url, since: now() })
  return { status: 200 }
}

/** `DELETE /webhook/{chave}`. */
export const deleteWebhook = ({ ledger }: Bank, account: BankAccount, pixKey: string): BankAnswer =>
  account.pixKeys.includes(pixKey) && ledger.webhooks.delete(pixKey)
    ? { status: 204 }
    : problem(404, "WebhookNaoEncontrado", "no webhook for this key")

/** `GET /webhook/{chave}`. */
export const getWebhook = ({ ledger }: Bank, account: BankAccount, pixKey: string): BankAnswer => {
  const known = account.pixKeys.includes(pixKey) ? ledger.webhooks.get(pixKey) : undefined
  return known === undefined
    ? problem(404, "WebhookNaoEncontrado", "no webhook for this key")
    : { status: 200, body: { webhookUrl: known.url, cnpj: account.cnpj, criacao: instant(known.since) } }
}

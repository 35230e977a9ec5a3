import { instant } from "./wire.ts"
import type { Bank } from "./Bank.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"

/** The account's key in a path. */
const findKey = ({ webhookKeys }: BankWays, { pixKeys }: BankAccount, named: string): string | undefined =>
  pixKeys.find((key) => (webhookKeys === "withoutPlus" ? key.replace("+", "") : key) === named)

/** `PUT /webhook/{chave}`. Plain HTTP is accepted as well: this bank calls hosts in tests. */
export const putWebhook = async (
  { ledger, ways, chance }: Bank,
  account: BankAccount,
  request: BankRequest,
  named: string,
  body: unknown,
): Promise<BankAnswer> => {
  const pixKey = findKey(ways, account, named)
  const url = typeof body === "object" && body !== null && "webhookUrl" in body ? body.webhookUrl : undefined
  if (pixKey === undefined) {
    return problem(400, "WebhookOperacaoInvalida", "the key is not this receiver's", "chave")
  }
  if (typeof url !== "string" || !URL.canParse(url)) {
    return problem(400, "WebhookOperacaoInvalida", "breaks the schema", "webhook.webhookUrl")
  }
  if (ways.putOnWebhook === "refuses" && ledger.webhooks.has(pixKey)) {
    return problem(400, "WebhookOperacaoInvalida", "a webhook is registered for this key", "chave")
  }
  const probed = await ways.probeWebhook?.(url, request)
  if (probed !== undefined) return probed
  ledger.webhooks.set(pixKey, { url, since: chance.now() })
  return { status: 200 }
}

/** `DELETE /webhook/{chave}`. */
export const deleteWebhook = ({ ledger, ways }: Bank, account: BankAccount, named: string): BankAnswer => {
  const pixKey = findKey(ways, account, named)
  return pixKey !== undefined && ledger.webhooks.delete(pixKey)
    ? { status: 204 }
    : problem(404, "WebhookNaoEncontrado", "no webhook for this key")
}

/** `GET /webhook/{chave}`. */
export const getWebhook = ({ ledger, ways }: Bank, account: BankAccount, named: string): BankAnswer => {
  const pixKey = findKey(ways, account, named)
  const known = pixKey === undefined ? undefined : ledger.webhooks.get(pixKey)
  return known === undefined
    ? problem(404, "WebhookNaoEncontrado", "no webhook for this key")
    : { status: 200, body: { webhookUrl: known.url, cnpj: account.cnpj, criacao: instant(known.since) } }
}

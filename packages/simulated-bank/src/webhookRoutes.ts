import { instant } from "./wire.ts"
import type { Bank } from "./Bank.ts"
import { isWithin, readPeriod, writePage } from "./listPages.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"
import type { Ledger, LedgerWebhook } from "./Ledger.ts"
import { fields } from "./ways/fields.ts"

const writeKey = ({ webhookKeys }: BankWays, key: string): string =>
  webhookKeys === "withoutPlus" ? key.replace("+", "") : key

/** The account's key in a path. */
const findKey = (ways: BankWays, { pixKeys }: BankAccount, named: string): string | undefined =>
  pixKeys.find((key) => writeKey(ways, key) === named)

/** Where the webhooks of a kind are kept, which of them is meant, and the kind of the problem that refuses one. */
interface WebhookPlace {
  readonly webhooks: Ledger["webhooks"]
  readonly key: string
  readonly kind: string
}

/** Registers a webhook. Plain HTTP is accepted as well: this bank calls hosts in tests. */
export const register = async (
  { ways, chance }: Bank,
  { webhooks, key, kind }: WebhookPlace,
  request: BankRequest,
  body: unknown,
): Promise<BankAnswer> => {
  const { webhookUrl: url } = fields(body)
  if (typeof url !== "string" || !/^https?:/.test(url) || !URL.canParse(url)) {
    return problem(400, kind, "breaks the schema", "webhook.webhookUrl")
  }
  if (ways.putOnWebhook === "refuses" && webhooks.has(key)) {
    return problem(400, kind, "a webhook is registered already", "webhook")
  }
  const probed = await ways.probeWebhook?.(url, request)
  if (probed !== undefined) return probed
  webhooks.set(key, { url, since: chance.now() })
  return { status: 200 }
}

/** `PUT /webhook/{chave}`. */
export const putWebhook = async (
  bank: Bank,
  account: BankAccount,
  request: BankRequest,
  named: string,
  body: unknown,
): Promise<BankAnswer> => {
  const { webhooks } = bank.ledger
  const [key, kind] = [findKey(bank.ways, account, named), "WebhookOperacaoInvalida"]
  return key === undefined
    ? problem(400, kind, "the key is not this receiver's", "chave")
    : register(bank, { webhooks, key, kind }, request, body)
}

/** `DELETE /webhook/{chave}`. */
export const deleteWebhook = ({ ledger, ways }: Bank, account: BankAccount, named: string): BankAnswer => {
  const pixKey = findKey(ways, account, named)
  return pixKey !== undefined && ledger.webhooks.delete(pixKey)
    ? { status: 204 }
    : problem(404, "WebhookNaoEncontrado", "no webhook for this key")
}

const webhookBody = ({ cnpj }: BankAccount, chave: string, { url, since }: LedgerWebhook) => ({
  webhookUrl: url,
  chave,
  cnpj,
  criacao: instant(since),
})

/** `GET /webhook/{chave}`. */
export const getWebhook = ({ ledger, ways }: Bank, account: BankAccount, named: string): BankAnswer => {
  const pixKey = findKey(ways, account, named)
  const known = pixKey === undefined ? undefined : ledger.webhooks.get(pixKey)
  return known === undefined
    ? problem(404, "WebhookNaoEncontrado", "no webhook for this key")
    : { status: 200, body: webhookBody(account, named, known) }
}

/** `GET /webhook`, whose period may be left out. */
export const listWebhooks = (bank: Bank, account: BankAccount, given: URLSearchParams): BankAnswer => {
  const kind = "WebhookConsultaInvalida"
  const query = new URLSearchParams({
    inicio: instant(0),
    fim: instant(bank.chance.now()),
    ...Object.fromEntries(given),
  })
  const period = readPeriod(bank, query, kind, "webhook")
  if ("status" in period) return period
  const found = account.pixKeys.flatMap((key) => {
    const known = bank.ledger.webhooks.get(key)
    return known !== undefined && isWithin(period, known.since) ? [{ key, known }] : []
  })
  const list = { ways: bank.ways, query, period, found, kind }
  return writePage(list, "webhooks", ({ key, known }) => webhookBody(account, writeKey(bank.ways, key), known))
}

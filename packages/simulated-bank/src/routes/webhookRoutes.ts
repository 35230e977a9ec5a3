import type { Ledger, LedgerWebhook } from "../ledger/Ledger.ts"
import { webhookKey } from "../ledger/RecurringLedger.ts"
import { instant } from "../ledger/apiValues.ts"
import type { BankAccount, BankWays } from "../wire/BankOptions.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { answerList, isWithin } from "./listPages.ts"

const writeKey = ({ webhookKeys }: BankWays, key: string): string =>
  webhookKeys === "withoutPlus" ? key.replace("+", "") : key

const findKey = ({ bank, account, id }: BankCall): string | undefined =>
  account.pixKeys.find((key) => writeKey(bank.ways, key) === id)

/** The webhooks of a kind, the key of one webhook, and the problem type of refusals. */
interface WebhookPlace {
  readonly webhooks: Ledger["webhooks"]
  readonly key: string
  readonly kind: string
}

/** Registers a webhook. Accepts plain HTTP as well, because this bank calls hosts in tests. */
const register = async (
  { bank: { ways, chance }, request }: BankCall,
  { webhooks, key, kind }: WebhookPlace,
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

const putWebhook = async (call: BankCall): Promise<BankAnswer> => {
  const body = call.readBody()
  const [key, kind] = [findKey(call), "WebhookOperacaoInvalida"]
  return key === undefined
    ? problem(400, kind, "the key is not this receiver's", "chave")
    : register(call, { webhooks: call.bank.ledger.webhooks, key, kind }, body)
}

const noWebhook = problem(404, "WebhookNaoEncontrado", "no webhook for this key")

const deleteWebhook = (call: BankCall): BankAnswer => {
  const pixKey = findKey(call)
  return pixKey !== undefined && call.bank.ledger.webhooks.delete(pixKey) ? { status: 204 } : noWebhook
}

const webhookBody = ({ cnpj }: BankAccount, chave: string, { url, since }: LedgerWebhook) => ({
  webhookUrl: url,
  chave,
  cnpj,
  criacao: instant(since),
})

const getWebhook = (call: BankCall): BankAnswer => {
  const known = call.bank.ledger.webhooks.get(findKey(call) ?? "")
  return known === undefined ? noWebhook : { status: 200, body: webhookBody(call.account, call.id, known) }
}

/** Lists webhooks. The period in the query is optional. */
const listWebhooks = ({ bank, account, query: given }: BankCall): BankAnswer => {
  const query = new URLSearchParams({
    inicio: instant(0),
    fim: instant(bank.chance.now()),
    ...Object.fromEntries(given),
  })
  return answerList(
    { bank, query },
    {
      kind: "WebhookConsultaInvalida",
      resource: "webhook",
      items: "webhooks",
      find: (period) =>
        account.pixKeys.flatMap((key) => {
          const known = bank.ledger.webhooks.get(key)
          return known !== undefined && isWithin(period, known.since) ? [{ key, known }] : []
        }),
      write: ({ key, known }) => webhookBody(account, writeKey(bank.ways, key), known),
    },
  )
}

const noRecurringWebhook = problem(404, "NaoEncontrado", "no webhook is registered")

const findRecurringPlace = ({ bank, account, resource }: BankCall): WebhookPlace => {
  const { webhooks } = bank.recurring.ledger
  return resource === "webhookrec"
    ? { webhooks, key: webhookKey("rec", account.cnpj), kind: "WebhookRecOperacaoInvalida" }
    : { webhooks, key: webhookKey("cobr", account.cnpj), kind: "WebhookCobROperacaoInvalida" }
}

const putRecurringWebhook = (call: BankCall): Promise<BankAnswer> =>
  register(call, findRecurringPlace(call), call.readBody())

const getRecurringWebhook = (call: BankCall): BankAnswer => {
  const { webhooks, key } = findRecurringPlace(call)
  const known = webhooks.get(key)
  return known === undefined
    ? noRecurringWebhook
    : { status: 200, body: { webhookUrl: known.url, criacao: instant(known.since) } }
}

const deleteRecurringWebhook = (call: BankCall): BankAnswer => {
  const { webhooks, key } = findRecurringPlace(call)
  return webhooks.delete(key) ? { status: 204 } : noRecurringWebhook
}

export const webhookRoutes: Routes = {
  "GET webhook": listWebhooks,
  "PUT webhook {id}": putWebhook,
  "GET webhook {id}": getWebhook,
  "DELETE webhook {id}": deleteWebhook,
  "PUT webhookrec": putRecurringWebhook,
  "PUT webhookcobr": putRecurringWebhook,
  "GET webhookrec": getRecurringWebhook,
  "GET webhookcobr": getRecurringWebhook,
  "DELETE webhookrec": deleteRecurringWebhook,
  "DELETE webhookcobr": deleteRecurringWebhook,
}

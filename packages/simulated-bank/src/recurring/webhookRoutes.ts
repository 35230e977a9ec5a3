import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import type { BankRequest } from "../BankRequest.ts"
import { problem, type BankAnswer } from "../problems.ts"
import { fields } from "../ways/fields.ts"
import { instant } from "../wire.ts"
import { type NoticeKind, webhookKey } from "./RecurringLedger.ts"

const missing = problem(404, "NaoEncontrado", "no webhook is registered")

const problemKinds = { rec: "WebhookRecOperacaoInvalida", cobr: "WebhookCobROperacaoInvalida" }

/** `PUT /webhookrec` and `PUT /webhookcobr`. Plain HTTP is accepted as well: this bank calls hosts in tests. */
export const putRecurringWebhook = async (
  { recurring, ways, chance }: Bank,
  { cnpj }: BankAccount,
  kind: NoticeKind,
  request: BankRequest,
  body: unknown,
): Promise<BankAnswer> => {
  const { webhookUrl: url } = fields(body)
  if (typeof url !== "string" || !URL.canParse(url)) {
    return problem(400, problemKinds[kind], "breaks the schema", "webhook.webhookUrl")
  }
  const probed = await ways.probeWebhook?.(url, request)
  if (probed !== undefined) return probed
  recurring.ledger.webhooks.set(webhookKey(kind, cnpj), { url, since: chance.now() })
  return { status: 200 }
}

/** `GET` of the same. */
export const getRecurringWebhook = ({ recurring }: Bank, { cnpj }: BankAccount, kind: NoticeKind): BankAnswer => {
  const known = recurring.ledger.webhooks.get(webhookKey(kind, cnpj))
  return known === undefined ? missing : { status: 200, body: { webhookUrl: known.url, criacao: instant(known.since) } }
}

/** `DELETE` of the same. */
export const deleteRecurringWebhook = ({ recurring }: Bank, { cnpj }: BankAccount, kind: NoticeKind): BankAnswer =>
  recurring.ledger.webhooks.delete(webhookKey(kind, cnpj)) ? { status: 204 } : missing

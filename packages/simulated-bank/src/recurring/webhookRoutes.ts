import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import type { BankRequest } from "../BankRequest.ts"
import { problem, type BankAnswer } from "../problems.ts"
import { register } from "../webhookRoutes.ts"
import { instant } from "../wire.ts"
import { type NoticeKind, webhookKey } from "./RecurringLedger.ts"

const missing = problem(404, "NaoEncontrado", "no webhook is registered")

const problemKinds = { rec: "WebhookRecOperacaoInvalida", cobr: "WebhookCobROperacaoInvalida" }

/** `PUT /webhookrec` and `PUT /webhookcobr`. */
export const putRecurringWebhook = (
  bank: Bank,
  { cnpj }: BankAccount,
  kind: NoticeKind,
  request: BankRequest,
  body: unknown,
): Promise<BankAnswer> => {
  const { webhooks } = bank.recurring.ledger
  return register(bank, { webhooks, key: webhookKey(kind, cnpj), kind: problemKinds[kind] }, request, body)
}

/** `GET` of the same. */
export const getRecurringWebhook = ({ recurring }: Bank, { cnpj }: BankAccount, kind: NoticeKind): BankAnswer => {
  const known = recurring.ledger.webhooks.get(webhookKey(kind, cnpj))
  return known === undefined ? missing : { status: 200, body: { webhookUrl: known.url, criacao: instant(known.since) } }
}

/** `DELETE` of the same. */
export const deleteRecurringWebhook = ({ recurring }: Bank, { cnpj }: BankAccount, kind: NoticeKind): BankAnswer =>
  recurring.ledger.webhooks.delete(webhookKey(kind, cnpj)) ? { status: 204 } : missing

import type { LedgerPayment } from "./Ledger.ts"
import type { Bank } from "./Bank.ts"
import type { BankFault, BankFaults } from "./BankFaults.ts"
import { type BankIdentity, callWebhook } from "./callWebhook.ts"
import { distort } from "./distort.ts"
import { type NoticeKind, webhookKey } from "./recurring/RecurringLedger.ts"
import { writeJson } from "./writeJson.ts"
import { writeNotice } from "./writeNotice.ts"

/** One call of a webhook and its status; 0 without an answer. */
export interface SentNotice {
  readonly url: string
  readonly body: unknown
  readonly status: number
}

/** Calls registered webhooks. */
export interface WebhookCaller {
  /** Every call. */
  readonly sent: Array<SentNotice>
  /** Makes one call for these payments of one key. */
  readonly send: (pixKey: string, payments: ReadonlyArray<LedgerPayment>) => Promise<SentNotice | undefined>
  /** Makes this bank's number of calls for one payment, by default to the webhook of its key. */
  readonly notify: (payment: LedgerPayment, pixKey?: string) => void
  /** Makes this bank's number of calls about a recurrence or a cycle's charge, with this body. */
  readonly tell: (kind: NoticeKind, cnpj: string, body: unknown) => void
  /** Resolves when no call is under way. */
  readonly idle: () => Promise<void>
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits as long as a notice's fault has it; false if it is lost. */
const passes = async (fault: BankFault | undefined): Promise<boolean> => {
  if (fault?._tag === "Slow") await wait(fault.ms)
  if (fault?._tag === "Held") {
    fault.arrive()
    await fault.released
  }
  return fault === undefined || fault._tag === "Slow" || fault._tag === "Held"
}

export const makeWebhookCaller = (
  { ledger, ways, recurring }: Bank,
  faults: BankFaults,
  identity?: BankIdentity,
): WebhookCaller => {
  const sent: Array<SentNotice> = []
  const underWay = new Set<Promise<unknown>>()

  const call = async (url: string, body: unknown, text: string): Promise<SentNotice> => {
    const notice = { url, body, status: await callWebhook(url, text, identity) }
    sent.push(notice)
    return notice
  }

  const send: WebhookCaller["send"] = async (pixKey, payments) => {
    const url = ledger.webhooks.get(pixKey)?.url
    if (url === undefined) return undefined
    const { suffix, body, text } = writeNotice(payments, ways)
    return call(`${url}${suffix}`, body, text)
  }

  /** Makes this bank's number of calls. */
  const repeat = (makeCall: () => Promise<unknown>): void => {
    const calls = wait(ways.noticeDelayMs).then(() => Promise.all(Array.from({ length: ways.noticeCopies }, makeCall)))
    underWay.add(calls)
    void calls.finally(() => underWay.delete(calls))
  }

  const notify: WebhookCaller["notify"] = (payment, pixKey = payment.pixKey) => repeat(() => send(pixKey, [payment]))

  const tell: WebhookCaller["tell"] = (kind, cnpj, standard) => {
    const url = recurring.ledger.webhooks.get(webhookKey(kind, cnpj))?.url
    if (url === undefined) return
    const fault = faults.take({ method: "NOTICE", path: `/notice/${kind}` })
    const body = distort(standard, ways)
    repeat(async () => (await passes(fault)) && call(`${url}/${kind}`, body, writeJson(body, ways)))
  }

  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return { sent, send, notify, tell, idle }
}

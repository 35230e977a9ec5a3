import type { LedgerPayment } from "./Ledger.ts"
import type { Bank } from "./Bank.ts"
import { type BankIdentity, callWebhook } from "./callWebhook.ts"
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
  /** Makes this bank's number of calls for one payment. */
  readonly notify: (payment: LedgerPayment) => void
  /** Resolves when no call is under way. */
  readonly idle: () => Promise<void>
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export const makeWebhookCaller = ({ ledger, ways }: Bank, identity?: BankIdentity): WebhookCaller => {
  const sent: Array<SentNotice> = []
  const underWay = new Set<Promise<unknown>>()

  const send: WebhookCaller["send"] = async (pixKey, payments) => {
    const url = ledger.webhooks.get(pixKey)?.url
    if (url === undefined) return undefined
    const { suffix, body, text } = writeNotice(payments, ways)
    const calledAt = `${url}${suffix}`
    const notice = { url: calledAt, body, status: await callWebhook(calledAt, text, identity) }
    sent.push(notice)
    return notice
  }

  const notify = (payment: LedgerPayment): void => {
    const calls = wait(ways.noticeDelayMs).then(() =>
      Promise.all(Array.from({ length: ways.noticeCopies }, () => send(payment.pixKey, [payment]))),
    )
    underWay.add(calls)
    void calls.finally(() => underWay.delete(calls))
  }

  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return { sent, send, notify, idle }
}

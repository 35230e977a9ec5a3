import { request } from "node:http"
import { request as secureRequest } from "node:https"
import type { Bank } from "../bank/Bank.ts"
import type { LedgerPayment } from "../ledger/Ledger.ts"
import { type NoticeKind, webhookKey } from "../ledger/RecurringLedger.ts"
import type { BankWays } from "../wire/BankOptions.ts"
import { paymentBody } from "../wire/bodies.ts"
import { distort, writeJson } from "../wire/json.ts"
import type { BankFault, BankFaults } from "./BankFaults.ts"

/** A webhook call and its status, which is 0 if no answer came. */
export interface SentNotice {
  readonly url: string
  readonly body: unknown
  readonly status: number
}

export interface WebhookCaller {
  readonly sent: Array<SentNotice>
  /** Calls a key's webhook once about these payments. Undefined if the key has no webhook. */
  readonly send: (pixKey: string, payments: ReadonlyArray<LedgerPayment>) => Promise<SentNotice | undefined>
  /** Calls a key's webhook about a payment, as often as this bank repeats a notice. Default: the payment's key. */
  readonly notify: (payment: LedgerPayment, pixKey?: string) => void
  /** Calls a webhook about a recurrence or a cycle's charge, as often as this bank repeats a notice. */
  readonly tell: (kind: NoticeKind, cnpj: string, body: unknown) => void
  /** Resolves when no call is under way. */
  readonly idle: () => Promise<void>
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits as the notice's fault says. False if the fault loses the notice. */
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

/** A webhook call in this bank's format: the suffix of its URL, and its body as value and text. */
export const writeNotice = (payments: ReadonlyArray<LedgerPayment>, ways: BankWays) => {
  const entries = payments
    .map(paymentBody)
    .map(({ chave, ...rest }) => (ways.keyInNotices && chave !== undefined ? { chave, ...rest } : rest))
  const standard = distort({ pix: entries }, ways)
  const body = ways.noticeBody?.(standard) ?? standard
  return { suffix: ways.noticeSuffix, body, text: writeJson(body, ways) }
}

/** The certificate that the bank shows to hosts, in PEM. */
export interface BankIdentity {
  readonly cert: string
  readonly key: string
}

const limitMs = 60_000

/** Calls a webhook, with the bank's certificate if the URL is HTTPS. Returns the status, or 0 if no answer came. */
const callWebhook = (url: string, text: string, identity: BankIdentity | undefined): Promise<number> =>
  new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
    const options = { method: "POST", headers, agent: false as const, signal: AbortSignal.timeout(limitMs) }
    const fail = (): void => resolve(0)
    try {
      const call = url.startsWith("https:")
        ? secureRequest(url, { ...options, ...(identity && { cert: identity.cert, key: identity.key }) })
        : request(url, options)
      call.once("error", fail).once("response", (message) => {
        message.once("error", fail).once("end", () => resolve(message.statusCode ?? 0))
        message.resume()
      })
      call.end(text)
    } catch {
      fail()
    }
  })

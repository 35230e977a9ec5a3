import { chargeTxid, parseChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import type { SimulatedBank } from "../SimulatedBank.ts"
import { chargeKey, type LedgerCharge, type LedgerPayment, returningCents } from "../ledger/Ledger.ts"

const readCents = (query: URLSearchParams): number | undefined => {
  const amount = query.get("amountCents")
  if (amount === null) return undefined
  if (/^[1-9]\d{0,8}$/.test(amount)) return Number(amount)
  throw new Refused(`amountCents takes whole centavos from 1 on, not ${amount}`)
}

const showCharge = ({ txid, status, terms }: LedgerCharge) => ({ txid, status, amountCents: terms.amountCents })

const showPayment = (payment: LedgerPayment) => {
  const { endToEndId, txid, amountCents } = payment
  return { endToEndId, txid, amountCents, returnedCents: returningCents(payment) }
}

export class BankCounter {
  readonly #bank: SimulatedBank
  readonly #cnpj: string
  #endFault: () => void = () => undefined

  constructor(bank: SimulatedBank, cnpj: string) {
    this.#bank = bank
    this.#cnpj = cnpj
  }

  /** The charge with the given id or txid; by default the last charge. */
  #findCharge(query: URLSearchParams): LedgerCharge {
    const { charges } = this.#bank.ledger
    const name = query.get("charge")
    if (name === null) {
      const last = [...charges.values()].at(-1)
      if (last === undefined) throw new Refused("there is no charge yet: issue one first")
      return last
    }
    const id = Result.getOrUndefined(parseChargeId(name))
    const txid = id === undefined ? name : chargeTxid(this.#cnpj as Cnpj, id)
    const found = charges.get(chargeKey(this.#cnpj, txid))
    if (found === undefined) throw new Refused("there is no such charge: GET / lists them")
    return found
  }

  #findPayment(query: URLSearchParams): LedgerPayment {
    const all = [...this.#bank.ledger.payments.values()]
    const txid = query.has("charge") ? this.#findCharge(query).txid : undefined
    const last = all.findLast((payment) => txid === undefined || payment.txid === txid)
    if (last === undefined) throw new Refused("there is no payment yet: pay first")
    return last
  }

  /** Waits until the host has been notified. */
  async #move(move: () => LedgerPayment): Promise<object> {
    const { webhooks, ledger } = this.#bank
    const before = webhooks.sent.length
    const payment = move()
    await webhooks.idle()
    return { ...showPayment(payment), webhook: readNotice(this.#bank, before, ledger.webhooks.size) }
  }

  pay(query: URLSearchParams): Promise<object> {
    const { txid } = this.#findCharge(query)
    const amountCents = readCents(query)
    return this.#move(() => {
      try {
        return this.#bank.pay(this.#cnpj, txid, amountCents === undefined ? {} : { amountCents })
      } catch {
        throw new Refused("the charge can't be paid any more: it has expired or was removed")
      }
    })
  }

  refund(query: URLSearchParams): Promise<object> {
    const payment = this.#findPayment(query)
    const restCents = payment.amountCents - returningCents(payment)
    const amountCents = readCents(query) ?? restCents
    if (restCents === 0 || amountCents > restCents) throw new Refused(`${restCents} centavos of the payment are left`)
    return this.#move(() => {
      this.#bank.returnOutside(payment.endToEndId, amountCents, "ORIGINAL")
      return payment
    })
  }

  down(): object {
    this.up()
    this.#endFault = this.#bank.faults.add({ _tag: "RequestLost" }, () => true)
    return { calls: "every connection breaks, until /up" }
  }

  slow(query: URLSearchParams): object {
    const seconds = Number(query.get("seconds") ?? 5)
    if (!(seconds > 0 && seconds <= 600)) throw new Refused("seconds takes a number from 0 to 600")
    this.up()
    this.#endFault = this.#bank.faults.add({ _tag: "Slow", ms: seconds * 1000 }, () => true)
    return { calls: `every answer takes ${seconds} seconds, until /up` }
  }

  up(): object {
    this.#endFault()
    return { calls: "answered at once" }
  }

  show(): object {
    const { ledger, webhooks } = this.#bank
    return {
      charges: [...ledger.charges.values()].map(showCharge),
      payments: [...ledger.payments.values()].map(showPayment),
      webhooks: [...ledger.webhooks.values()].map(({ url }) => url),
      notices: webhooks.sent.map(({ url, status }) => ({ url, status })),
    }
  }
}

/** The outcome of the last webhook call, if there were more than `before` calls. `registered` is the number of webhooks. */
export const readNotice = ({ webhooks }: SimulatedBank, before: number, registered: number): string => {
  const notice = webhooks.sent.slice(before).at(-1)
  if (notice === undefined) return registered === 0 ? "none is registered: call registerWebhook" : "not called"
  return notice.status === 0 ? `no answer from ${new URL(notice.url).origin}` : `HTTP ${notice.status}`
}

/** A command that can't be executed. Its message is for the bank's user. */
export class Refused extends Error {}

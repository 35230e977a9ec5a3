import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { CallFailed, type HostProcess } from "./HostProcess.ts"
import type { Ledger, Sale } from "./Ledger.ts"

/** What a company repeats its call after: nothing that it has done wrong. */
const repeated = new Set([
  "BootFailure",
  "DirectoryUnavailable",
  "HostGone",
  "PixDisposed",
  "ProcessorUnavailable",
  "StoreUnavailable",
])

const mostPauseMs = 100
const refundedShare = 0.3

interface Charge {
  readonly transactionId: string
  readonly txid: string
  readonly brCode: string
  readonly status: string
}

interface LoadOptions {
  /** Who serves now. */
  readonly hosts: () => ReadonlyArray<HostProcess>
  readonly bank: SimulatedBank
  readonly companies: ReadonlyArray<string>
  readonly ledger: Ledger
}

const oneOf = <A>(values: ReadonlyArray<A>): A | undefined => values[Math.floor(Math.random() * values.length)]

/** Companies that sell, are paid, look and refund, and repeat each call until it is answered. */
export class Load {
  readonly #options: LoadOptions
  #running: Array<Promise<void>> = []
  #isOver = false

  constructor(options: LoadOptions) {
    this.#options = options
  }

  /** Begins so many sales at once, and another after each. */
  start(atOnce: number): void {
    this.#isOver = false
    this.#running = Array.from({ length: atOnce }, () => this.#sell())
  }

  /** Ends once the sales that are under way have. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  /** Waits until so many more calls were answered. */
  async answered(more: number): Promise<void> {
    const { answered } = this.#options.ledger
    for (const until = answered.length + more; answered.length < until;) await sleep(10)
  }

  /** Waits until so many more attempts have failed. */
  async failed(more: number): Promise<void> {
    const { ledger } = this.#options
    for (const until = ledger.failures + more; ledger.failures < until;) await sleep(10)
  }

  /** Has a call made by whoever serves, until it is answered. */
  async repeat(path: string, ...args: ReadonlyArray<unknown>): Promise<unknown> {
    const { hosts, ledger } = this.#options
    const began = performance.now()
    ledger.begun += 1
    const failures: Array<number> = []
    for (;;) {
      const attemptedAt = performance.now()
      try {
        const host = oneOf(hosts())
        if (host === undefined) throw new CallFailed("HostGone", "no host serves")
        const answer = await host.call(path, ...args)
        const at = performance.now()
        ledger.answered.push({ path, at, tookMs: at - began, failures })
        return answer
      } catch (error) {
        if (!(error instanceof CallFailed) || !repeated.has(error.tag)) throw error
        failures.push(attemptedAt)
        ledger.count(error.tag)
        await sleep(Math.random() * mostPauseMs)
      }
    }
  }

  async #sell(): Promise<void> {
    const { companies, ledger } = this.#options
    while (!this.#isOver) {
      const issuer = oneOf(companies) ?? ""
      const sale: Sale = { issuer, id: randomUUID(), amountCents: 1 + Math.floor(Math.random() * 100_000) }
      ledger.sales.push(sale)
      try {
        await this.#liveThrough(sale)
      } catch (error) {
        ledger.surprises.push(`charge ${sale.id}: ${String(error)}`)
      }
    }
  }

  async #liveThrough(sale: Sale): Promise<void> {
    const { issuer, id, amountCents } = sale
    const charge = (await this.repeat("issue", issuer, { id, amountCents })) as Charge
    sale.issued = { transactionId: charge.transactionId, txid: charge.txid, brCode: charge.brCode }
    await this.#expectStatus(sale, "pending")
    await this.#pay(sale, charge.txid)
    await this.#expectStatus(sale, "paid")
    if (Math.random() >= refundedShare) return
    sale.isRefundAsked = true
    await this.repeat("refund", issuer, id)
    sale.isRefunded = true
    await this.#expectStatus(sale, "refunded")
  }

  async #pay(sale: Sale, txid: string): Promise<void> {
    const { issuer } = sale
    const { endToEndId, amountCents, paidAt } = this.#options.bank.pay(issuer, txid)
    await this.repeat("confirmPayment", { issuer, txid, endToEndId, amountCents, paidAt })
    sale.paidBy = endToEndId
  }

  /** Looks at the charge: it must be where the last answer said. */
  async #expectStatus({ issuer, id }: Sale, expected: string): Promise<void> {
    const { status } = (await this.repeat("find", issuer, id)) as Charge
    if (status !== expected) this.#options.ledger.surprises.push(`charge ${id} was ${expected}, and then is ${status}`)
  }
}

import { chargeTxid } from "@pixcharge/core/plain"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { LedgerPayment, SimulatedBank } from "@pixcharge/simulated-bank"
import type { HostAnswer, Integrator } from "../../world/Integrator.ts"
import type { Latencies, Operation } from "../Latencies.ts"
import { sleepUntil } from "../openLoop.ts"
import { askPatiently } from "./askPatiently.ts"
import type { Ledger, LedgerEntry } from "./Ledger.ts"
import { Page } from "./Page.ts"
import type { ChargePlan } from "./planCharge.ts"

export interface Surroundings {
  /** The integrators, by CNPJ. */
  readonly integrators: ReadonlyMap<string, Integrator>
  readonly bank: SimulatedBank
  readonly ledger: Ledger
  readonly latencies: Latencies
  /** The functions to call when a payment's event first reaches the receiver, by the charge's id. */
  readonly arrivals: Map<string, () => void>
}

/** How many times the bank sends an unconfirmed notice. */
const noticeTries = 4
const noticePauseMs = 5_000
/** The time limit for a page to show the payment. */
const tellLimitMs = 120_000
/** How long an unpaid charge's page stays open. */
const unpaidPageMs = 20_000

export class ChargeLife {
  readonly #plan: ChargePlan
  readonly #around: Surroundings
  readonly #integrator: Integrator
  readonly #entry: LedgerEntry
  readonly #page = new Page()

  constructor(plan: ChargePlan, around: Surroundings) {
    this.#plan = plan
    this.#around = around
    this.#integrator = around.integrators.get(plan.company.cnpj) as Integrator
    this.#entry = around.ledger.add(randomUUID(), plan.company, plan.cents)
  }

  async run(): Promise<void> {
    const { issueAt, statusAt, pageAt, payAt, refundAt } = this.#plan
    if (!(await this.#issue(issueAt))) return
    const paid = payAt === undefined ? undefined : sleepUntil(payAt).then(() => this.#pay(payAt))
    await Promise.all([
      ...statusAt.map((at) => sleepUntil(at).then(() => this.#askStatus(at))),
      paid,
      pageAt === undefined ? undefined : sleepUntil(pageAt).then(() => this.#watch(pageAt, payAt)),
      refundAt === undefined ? undefined : Promise.all([sleepUntil(refundAt), paid]).then(() => this.#refund(refundAt)),
    ])
  }

  #record(operation: Operation, dueAt: number): void {
    this.#around.latencies.record(operation, dueAt)
  }

  #violate(what: string, answer: HostAnswer | undefined): void {
    this.#around.ledger.violate(`${this.#entry.id} ${what}: ${answer?.status} ${answer?.error} ${answer?.text}`)
  }

  async #issue(dueAt: number): Promise<boolean> {
    const { id, cents } = this.#entry
    const answer = await askPatiently(() => this.#integrator.issue(id, cents))
    this.#record("issue", dueAt)
    this.#entry.isIssued = answer?.status === 200
    if (!this.#entry.isIssued) this.#violate("was not issued", answer)
    return this.#entry.isIssued
  }

  async #askStatus(dueAt: number): Promise<void> {
    const { id, isNoticed } = this.#entry
    const answer = await askPatiently(() => this.#integrator.status(id))
    this.#record("status", dueAt)
    const { paidAt, isRefundRequested: isRefundAsked } = this.#entry
    const isTrue =
      (answer?.status === 200 && paidAt !== undefined) ||
      (answer?.status === 409 && isRefundAsked) ||
      (answer?.status === 410 && !isNoticed)
    if (!isTrue)
      this.#violate(paidAt === undefined ? "is unpaid, but was answered" : "is paid, but was answered", answer)
  }

  async #pay(dueAt: number): Promise<void> {
    const { bank, arrivals } = this.#around
    const { company, isNoticeLost } = this.#plan
    const arrived = new Promise<void>((resolve) => arrivals.set(this.#entry.id, resolve))
    const payment = bank.pay(company.cnpj, chargeTxid(company.cnpj, this.#entry.id))
    this.#entry.paidAt = performance.now()
    this.#entry.endToEndId = payment.endToEndId
    void arrived.then(() => this.#record(isNoticeLost ? "find" : "deliver", dueAt))
    if (!isNoticeLost) await this.#notify(payment, dueAt)
  }

  async #notify(payment: LedgerPayment, dueAt: number): Promise<void> {
    for (let tried = 0; tried < noticeTries; tried++) {
      const notice = await this.#around.bank.webhooks.send(payment.pixKey, [payment])
      if (notice !== undefined && notice.status >= 200 && notice.status < 300) {
        this.#entry.isNoticed = true
        break
      }
      await pause(noticePauseMs)
    }
    this.#record("pay", dueAt)
  }

  async #refund(dueAt: number): Promise<void> {
    this.#entry.isRefundRequested = true
    const answer = await askPatiently(() => this.#integrator.refund(this.#entry.id))
    this.#record("refund", dueAt)
    this.#entry.isRefundAccepted = answer?.status === 200 || answer?.status === 202
    // A payment whose notices all failed is found later, so its refund can be refused until then.
    if (!this.#entry.isRefundAccepted && this.#entry.isNoticed) this.#violate("was not refunded", answer)
  }

  async #watch(dueAt: number, payAt: number | undefined): Promise<void> {
    this.#page.open(async () => {
      const { status, text } = await this.#integrator.link(this.#entry.id)
      if (status !== 200) throw new Error("no link")
      return text
    })
    await this.#page.shown
    this.#record("page", dueAt)
    if (payAt === undefined) await pause(unpaidPageMs)
    else await this.#awaitPayment(payAt)
    this.#page.close()
  }

  async #awaitPayment(payAt: number): Promise<void> {
    const limit = new AbortController()
    const shown = this.#page.paid.then(() => true)
    const isShown = await Promise.race([
      shown,
      pause(payAt + tellLimitMs - performance.now(), false, { signal: limit.signal }),
    ])
    limit.abort()
    if (this.#plan.isNoticeLost) return
    this.#record("tell", payAt)
    if (!isShown && this.#entry.isNoticed)
      this.#around.ledger.violate(`The page of ${this.#entry.id} did not show the payment`)
  }
}

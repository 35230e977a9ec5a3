import { chargeTxid } from "@pixcharge/core/plain"
import { type BankFault, type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { setTimeout as pause } from "node:timers/promises"
import { companies } from "../../world/companies.ts"
import { EventReceiver, type TakeEvent } from "../../world/EventReceiver.ts"
import { Integrator } from "../../world/Integrator.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { Latencies } from "../Latencies.ts"
import { openLoop } from "../openLoop.ts"
import { askPatiently } from "./askPatiently.ts"
import { ChargeLife, type Surroundings } from "./ChargeLife.ts"
import { judgeEntry } from "./judgeEntry.ts"
import { Ledger, type LedgerEntry } from "./Ledger.ts"
import { planCharge } from "./planCharge.ts"

/** A fault outside the host: the bank is slow or refuses, the receiver is down. */
export type OutsideFault = "slowBank" | "refusingBank" | "receiverDown"

export interface LoadSample {
  readonly issued: number
  readonly paid: number
  readonly violations: number
}

const slowMs = 700
const checkedAtOnce = 8
const receiverShares = { failing: 0.02, cutting: 0.01, slow: 0.02 }
const slowReceiverMs = 1_500

const slowBank: BankFault = {
  _tag: "Held",
  arrive: () => undefined,
  // Each held call reads this when it begins.
  get released() {
    return pause(slowMs)
  },
}
const refusingBank: BankFault = { _tag: "Status", status: 503 }

export class Outside {
  readonly #bank: SimulatedBank
  readonly #random: SeededRandom
  readonly #receiverRandom: SeededRandom
  readonly #ledger = new Ledger()
  readonly latencies = new Latencies()
  readonly #arrivals = new Map<string, () => void>()
  readonly #lives = new Set<Promise<void>>()
  #receiver: EventReceiver | undefined
  #integrators: ReadonlyMap<string, Integrator> = new Map()
  #generated: Promise<void> | undefined
  #isReceiverDown = false

  private constructor(bank: SimulatedBank, seed: number) {
    this.#bank = bank
    this.#random = makeSeededRandom(seed)
    this.#receiverRandom = makeSeededRandom(seed + 1)
  }

  static async open(seed: number, { ca, server }: Certificates): Promise<Outside> {
    const bank = await startSimulatedBank({
      accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
      tls: { ...server, ca },
      // The bank sends no notices by itself. The life of each charge sends its notice and waits for the answer.
      ways: { noticeCopies: 0 },
    })
    const outside = new Outside(bank, seed)
    outside.#receiver = await EventReceiver.start((event, path) => outside.#take(event, path), server)
    return outside
  }

  get urls() {
    return { bankUrl: this.#bank.baseUrl, receiverUrl: this.#receiver?.origin ?? "" }
  }

  async close(): Promise<void> {
    this.#receiver?.close()
    await this.#bank.close()
  }

  begin(hostUrl: string, rate: number, durationMs: number): void {
    this.#integrators = new Map(companies.map((one) => [one.cnpj, new Integrator(hostUrl, one)]))
    const around: Surroundings = {
      integrators: this.#integrators,
      bank: this.#bank,
      ledger: this.#ledger,
      latencies: this.latencies,
      arrivals: this.#arrivals,
    }
    const from = performance.now()
    const arrivals = { rate, from, until: from + durationMs, random: this.#random.next }
    this.#generated = openLoop(arrivals, (dueAt) => {
      const life = new ChargeLife(planCharge(dueAt, this.#random), around).run()
      this.#lives.add(life)
      void life
        .catch((error: unknown) => this.#ledger.violate(`A charge's life ended with ${String(error)}`))
        .finally(() => this.#lives.delete(life))
    })
  }

  beginFault(kind: OutsideFault): () => void {
    switch (kind) {
      case "slowBank":
        return this.#bank.faults.add(slowBank)
      case "refusingBank":
        return this.#bank.faults.add(refusingBank)
      case "receiverDown":
        this.#isReceiverDown = true
        return () => {
          this.#isReceiverDown = false
        }
    }
  }

  sample(): LoadSample {
    const entries = [...this.#ledger.entries.values()]
    this.#bank.forgetExchanges()
    return {
      issued: entries.filter(({ isIssued }) => isIssued).length,
      paid: entries.filter(({ paidAt }) => paidAt !== undefined).length,
      violations: this.#ledger.violations.length,
    }
  }

  async drain(): Promise<void> {
    await this.#generated
    while (this.#lives.size > 0) await Promise.allSettled(this.#lives)
  }

  get awaited(): number {
    return this.#ledger.findAwaited().length
  }

  /**
   * Queries every charge, and compares the host's answers, the bank's books and the events with what the host promised.
   */
  async verify(): Promise<{ readonly checked: number; readonly violations: ReadonlyArray<string> }> {
    const rest = this.#ledger.entries.values()
    const work = async (): Promise<void> => {
      for (const entry of rest) await this.#verifyEntry(entry)
    }
    await Promise.all(Array.from({ length: checkedAtOnce }, work))
    return { checked: this.#ledger.entries.size, violations: this.#ledger.violations }
  }

  /** A realistic receiver: sometimes it fails, is slow, breaks off or is down. */
  readonly #take: TakeEvent = async (event) => {
    if (this.#isReceiverDown) return "cut"
    if (typeof event === "string") {
      this.#ledger.violate(`The receiver got a request that is ${event}`)
      return 401
    }
    if (event.kind !== "paid" && event.kind !== "refunded") return 204
    const { chargeId } = event.payment
    this.#arrivals.get(chargeId)?.()
    this.#arrivals.delete(chargeId)
    const { failing, cutting, slow } = receiverShares
    const drawn = this.#receiverRandom.next()
    if (drawn < failing) return 500
    if (drawn < failing + cutting) return "cut"
    if (drawn < failing + cutting + slow) await pause(slowReceiverMs)
    this.#ledger.take(chargeId, event.kind)
    return 204
  }

  async #verifyEntry(entry: LedgerEntry): Promise<void> {
    const { company, id, endToEndId = "" } = entry
    const answer = await askPatiently(async () => this.#integrators.get(company.cnpj)?.status(id))
    const { charges, payments } = this.#bank.ledger
    const payment = payments.get(endToEndId)
    const books = {
      isCharged: charges.has(`${company.cnpj}/${chargeTxid(company.cnpj, id)}`),
      paidCents: payment?.amountCents ?? 0,
      returnedCents: (payment?.returns ?? []).reduce((sum, { amountCents }) => sum + amountCents, 0),
    }
    const said = answer ?? { status: 0, error: "no answer" }
    for (const flaw of judgeEntry(entry, books, said)) this.#ledger.violate(flaw)
  }
}

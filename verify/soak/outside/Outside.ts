import { type BankFault, type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { setTimeout as pause } from "node:timers/promises"
import { clientOf, companies } from "../companies.ts"
import type { Certificates } from "../makeCertificates.ts"
import { Latencies, type Measured } from "../measure/Latencies.ts"
import { openLoop } from "../openLoop.ts"
import { seededRandom } from "../random.ts"
import { ChargeLife, type Surroundings } from "./ChargeLife.ts"
import { Client } from "./Client.ts"
import { FaultTimes } from "./FaultTimes.ts"
import { judgeEntry } from "./judgeEntry.ts"
import { Ledger, type LedgerEntry } from "./Ledger.ts"
import { planCharge } from "./planCharge.ts"
import { Receiver } from "./Receiver.ts"

/** A fault of those outside: the bank is slow or refuses, the receiver is down; `host` is one that is made elsewhere. */
export type OutsideFault = "slowBank" | "refusingBank" | "receiverDown" | "host"

/** What is told of the load so far. */
export interface LoadSample {
  readonly issued: number
  readonly paid: number
  readonly repeats: number
  readonly openPages: number
  readonly violations: number
  readonly window: ReturnType<Latencies["endWindow"]>
}

/** How long a slow bank takes for a call. */
const slowMs = 700
/** So many are asked for their status at once in the end. */
const checkedAtOnce = 8

const slowBank: BankFault = {
  _tag: "Held",
  arrive: () => undefined,
  // Asked for by each call that is held.
  get released() {
    return pause(slowMs)
  },
}
const refusingBank: BankFault = { _tag: "Status", status: 503 }

/** Everything outside of the host: integrators, payers, the bank and the receiver of events. */
export class Outside {
  readonly #random: () => number
  readonly #ledger = new Ledger()
  readonly #latencies = new Latencies()
  readonly #faults = new FaultTimes()
  readonly #arrivals = new Map<string, () => void>()
  readonly #pages: Surroundings["pages"] = new Set()
  readonly #receiver: Receiver
  readonly #lives = new Set<Promise<void>>()
  #bank: SimulatedBank | undefined
  #client: Client | undefined
  #generated: Promise<void> | undefined

  constructor(seed: number) {
    this.#random = seededRandom(seed)
    this.#receiver = new Receiver(seededRandom(seed + 1), {
      came: (id) => {
        this.#arrivals.get(id)?.()
        this.#arrivals.delete(id)
      },
      took: (id, kind) => this.#ledger.take(id, kind),
      refused: (why) => this.#ledger.violate(`The receiver got a request that is ${why}`),
    })
  }

  /** Opens the bank and the receiver. */
  async open({ ca, server }: Certificates): Promise<{ readonly bankUrl: string; readonly receiverUrl: string }> {
    this.#bank = await startSimulatedBank({
      accounts: companies.map((one) => ({ ...one, ...clientOf(one), pixKeys: [one.pixKey] })),
      tls: { ...server, ca },
      // Notices are sent by each payment's own life, which waits for the answer.
      ways: { noticeCopies: 0 },
    })
    return { bankUrl: this.#bank.baseUrl, receiverUrl: await this.#receiver.listen() }
  }

  /** Begins the load. */
  begin(hostUrl: string, rate: number, durationMs: number): void {
    this.#client = new Client(hostUrl)
    const [client, bank] = [this.#client, this.#openBank]
    const around: Surroundings = {
      client,
      bank,
      ledger: this.#ledger,
      latencies: this.#latencies,
      faults: this.#faults,
      arrivals: this.#arrivals,
      pages: this.#pages,
    }
    const from = performance.now()
    const arrivals = { rate, from, until: from + durationMs, random: this.#random }
    this.#generated = openLoop(arrivals, (dueAt) => {
      const life = new ChargeLife(planCharge(dueAt, this.#random), around).live()
      this.#lives.add(life)
      void life
        .catch((error: unknown) => this.#ledger.violate(`A charge's life ended by ${String(error)}`))
        .finally(() => this.#lives.delete(life))
    })
  }

  /** Has a fault for so long. */
  async fault(kind: OutsideFault, ms: number): Promise<void> {
    this.#faults.begin()
    const end = this.#beginFault(kind)
    await pause(ms)
    end()
    this.#faults.end()
  }

  sample(): LoadSample {
    const entries = [...this.#ledger.entries.values()]
    this.#openBank.forgetExchanges()
    return {
      issued: entries.filter(({ isIssued }) => isIssued).length,
      paid: entries.filter(({ paidAt }) => paidAt !== undefined).length,
      repeats: this.#client?.repeats ?? 0,
      openPages: this.#pages.size,
      violations: this.#ledger.violations.length,
      window: this.#latencies.endWindow(),
    }
  }

  /** Resolves when the load is over and nothing of it is under way. */
  async rest(): Promise<void> {
    await this.#generated
    while (this.#lives.size > 0) await Promise.allSettled(this.#lives)
  }

  /** How many events must come that haven't. */
  awaited(): number {
    return this.#ledger.awaited().length
  }

  /** Asks the host for every charge, and holds its answers, the bank's books and the events against what was promised. */
  async verify(): Promise<{ readonly checked: number; readonly violations: ReadonlyArray<string> }> {
    const rest = [...this.#ledger.entries.values()]
    const work = async (): Promise<void> => {
      for (let entry = rest.pop(); entry !== undefined; entry = rest.pop()) await this.#verifyEntry(entry)
    }
    await Promise.all(Array.from({ length: checkedAtOnce }, work))
    return { checked: this.#ledger.entries.size, violations: this.#ledger.violations }
  }

  measured(): Measured {
    return this.#latencies.measured()
  }

  get #openBank(): SimulatedBank {
    if (this.#bank === undefined) throw new Error("the bank isn't open")
    return this.#bank
  }

  /** Begins a fault; answers with what ends it. */
  #beginFault(kind: OutsideFault): () => void {
    switch (kind) {
      case "slowBank":
        return this.#openBank.faults.add(slowBank)
      case "refusingBank":
        return this.#openBank.faults.add(refusingBank)
      case "receiverDown":
        this.#receiver.isDown = true
        return () => {
          this.#receiver.isDown = false
        }
      case "host":
        return () => undefined
    }
  }

  async #verifyEntry(entry: LedgerEntry): Promise<void> {
    const { company, id, endToEndId = "" } = entry
    const answer = await this.#client?.ask("GET", `/api/pix/${id}`, company)
    const { charges, payments } = this.#openBank.ledger
    const payment = payments.get(endToEndId)
    const books = {
      isCharged: charges.has(`${company.cnpj}/${id.replaceAll("-", "")}`),
      paidCents: payment?.amountCents ?? 0,
      returnedCents: (payment?.returns ?? []).reduce((sum, { amountCents }) => sum + amountCents, 0),
    }
    const said = answer ?? { status: 0, error: "no answer" }
    for (const flaw of judgeEntry(entry, books, said)) this.#ledger.violate(flaw)
  }
}

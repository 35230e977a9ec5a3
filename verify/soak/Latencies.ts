import { createHistogram, type RecordableHistogram } from "node:perf_hooks"

/** The measured operations. Each is measured from the time when it is due to its end. */
export const operations = {
  issue: "issue a charge, until it is answered 200",
  status: "ask for the status",
  pay: "a payment, until the host has confirmed the bank's notice",
  deliver: "a payment, until its event reaches the receiver",
  refund: "ask for a refund, until it is accepted",
  page: "open a payer's page, until its first state",
  tell: "a payment, until the open page shows it",
  find: "a payment without a notice, until its event comes",
} as const

export type Operation = keyof typeof operations

export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

type Each<A> = Readonly<Record<Operation, A>>

/** The quantiles of all operations, and of the operations without a fault during or shortly before them. */
export interface Measured {
  readonly all: Each<Quantiles>
  readonly calm: Each<Quantiles>
}

const forEach = <A>(make: (operation: Operation) => A): Each<A> =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, make(name as Operation)])) as Each<A>

const makeHistogram = (): RecordableHistogram => createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 })

const readQuantiles = (histogram: RecordableHistogram): Quantiles => {
  const [p50, p99, p999] = [50, 99, 99.9].map((share) => histogram.percentile(share) / 1_000) as [
    number,
    number,
    number,
  ]
  return { count: histogram.count, p50, p99, p999 }
}

/** How long a fault's effects can last: retries, new connections, a breaker's cool-down. */
const aftermathMs = 15_000

/** The durations of all operations, and of those without faults. Times are from `performance.now()`. */
export class Latencies {
  readonly #all = forEach(makeHistogram)
  readonly #calm = forEach(makeHistogram)
  #faultsUnderWay = 0
  #faultEndedAt = Number.NEGATIVE_INFINITY

  beginFault(): void {
    this.#faultsUnderWay += 1
  }

  endFault(): void {
    this.#faultsUnderWay -= 1
    this.#faultEndedAt = performance.now()
  }

  record(operation: Operation, dueAt: number): void {
    const micros = Math.max(Math.round((performance.now() - dueAt) * 1_000), 1)
    this.#all[operation].record(micros)
    if (this.#faultsUnderWay === 0 && this.#faultEndedAt + aftermathMs < dueAt) this.#calm[operation].record(micros)
  }

  readMeasured(): Measured {
    return {
      all: forEach((operation) => readQuantiles(this.#all[operation])),
      calm: forEach((operation) => readQuantiles(this.#calm[operation])),
    }
  }
}

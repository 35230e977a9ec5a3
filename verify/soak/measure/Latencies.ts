import { createHistogram, type RecordableHistogram } from "node:perf_hooks"

/** What is measured, each from the moment at which it was due to its end. */
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

/** The name of what is measured. */
export type Operation = keyof typeof operations

/** Milliseconds below which so many of all took. */
export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

const quantilesOf = (histogram: RecordableHistogram): Quantiles => ({
  count: histogram.count,
  p50: histogram.percentile(50) / 1_000,
  p99: histogram.percentile(99) / 1_000,
  p999: histogram.percentile(99.9) / 1_000,
  max: histogram.count === 0 ? 0 : histogram.max / 1_000,
})

const makeHistogram = (): RecordableHistogram => createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 })

type Each<A> = Readonly<Record<Operation, A>>

const forEach = <A>(make: (operation: Operation) => A): Each<A> =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, make(name as Operation)])) as Each<A>

/** Quantiles of all operations, and of those during which, and for a while before which, there was no fault. */
export interface Measured {
  readonly all: Each<Quantiles>
  readonly calm: Each<Quantiles>
}

/** How long operations took: in all, without faults, and since the last window ended. */
export class Latencies {
  readonly #all = forEach(makeHistogram)
  readonly #calm = forEach(makeHistogram)
  readonly #window = forEach(makeHistogram)

  /** Records that an operation took so many milliseconds. */
  record(operation: Operation, tookMs: number, isCalm: boolean): void {
    const micros = Math.max(Math.round(tookMs * 1_000), 1)
    this.#all[operation].record(micros)
    this.#window[operation].record(micros)
    if (isCalm) this.#calm[operation].record(micros)
  }

  /** What was recorded since it was asked for last. */
  endWindow(): Each<Quantiles> {
    return forEach((operation) => {
      const quantiles = quantilesOf(this.#window[operation])
      this.#window[operation].reset()
      return quantiles
    })
  }

  measured(): Measured {
    return {
      all: forEach((operation) => quantilesOf(this.#all[operation])),
      calm: forEach((operation) => quantilesOf(this.#calm[operation])),
    }
  }
}
